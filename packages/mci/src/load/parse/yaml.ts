import { type Document, parseDocument } from "yaml";
import type { Source } from "../read.ts";
import type { Parsed } from "./parsed.ts";
import { positionsOf } from "./positions.ts";
import { explainYamlError, explainYamlErrors, yamlError, yamlProblem } from "./yaml-errors.ts";
import type { YamlSyntaxError } from "./yaml-indentation.ts";
import { yamlLocate } from "./yaml-positions.ts";
import { walkYaml } from "./yaml-walk.ts";

/** Uses of anchors, each counted with the uses inside what it repeats: far above any real file, far below a bomb. */
const MAX_ALIAS_COUNT = 10_000;

const BAD_MERGE =
  'the value of a merge key (<<) must be a mapping or an alias of one; a property with that name is written "<<", in quotes';

/** YAML 1.2, plus the merge keys (`<<`) people use. Words such as `yes`, and dates, stay strings. */
export function parseYaml({ file, text }: Source): Parsed {
  const position = positionsOf(text);
  const fail = (errors: readonly YamlSyntaxError[], cause?: unknown) =>
    yamlError(file, errors, position, cause);

  let document: Document.Parsed;
  try {
    document = withoutStackTraces(() =>
      parseDocument(text, {
        schema: "core",
        merge: true,
        stringKeys: true,
        uniqueKeys: false, // The last one counts, as in JSON; see `walkYaml`.
        resolveKnownTags: false,
        prettyErrors: false,
        logLevel: "error",
      }),
    );
  } catch (cause) {
    throw fail([{ offset: 0, message: "the file is nested too deeply" }], cause);
  }
  if (document.errors.length > 0) throw fail(explainYamlErrors(document.errors, text));

  const { rawNumbers, errors, duplicateKeys, targets } = walkYaml(document);
  if (errors.length > 0) throw fail(errors);

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
  } catch (cause) {
    // The only other thing that can fail here, and known by its text alone.
    if (/merge/i.test((cause as Error).message)) throw fail([{ offset: 0, message: BAD_MERGE }], cause);
    const hint = `anchors may be repeated ${MAX_ALIAS_COUNT} times in all`;
    throw fail([{ offset: 0, message: "anchors are repeated too often", hint }], cause);
  }
  return {
    file,
    data,
    rawNumbers,
    warnings: async () =>
      [
        ...document.warnings.map((warning) => explainYamlError(warning, text)),
        ...duplicateKeys.map(({ key, first, offset }) => ({
          offset,
          message: `The key '${key}' is given twice, on lines ${position(first).line} and ${position(offset).line}; the last one counts`,
          hint: "remove one of them",
        })),
      ].map((warning) => yamlProblem(file, warning, position, "warning")),
    locator: async () => yamlLocate(document, targets, text, position),
  };
}

/** Every mistake in the text becomes an Error. Most of the time for thousands of them went into their stacks, which nothing reads. */
function withoutStackTraces<T>(work: () => T): T {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return work();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
