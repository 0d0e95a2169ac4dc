import { type Document, parseDocument } from "yaml";
import { positionsOf } from "../diagnostics.ts";
import type { Source } from "../read.ts";
import type { Parsed } from "./parsed.ts";
import { type YamlMistake, yamlError, yamlMistake, yamlMistakes, yamlProblem } from "./yaml-errors.ts";
import { yamlLocate } from "./yaml-positions.ts";
import { inspectYaml } from "./yaml-walk.ts";

/** Uses of anchors, each counted with the uses inside what it repeats: far above any real file, far below a bomb. */
const MOST_REPEATS = 10_000;

/** YAML 1.2, plus the merge keys (`<<`) people use. Words such as `yes`, and dates, stay strings. */
export function parseYaml({ file, text }: Source): Parsed {
  const position = positionsOf(text);
  const fail = (mistakes: readonly YamlMistake[], cause?: unknown) =>
    yamlError(file, mistakes, position, cause);

  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      schema: "core",
      merge: true,
      stringKeys: true,
      resolveKnownTags: false,
      prettyErrors: false,
      logLevel: "error",
    });
  } catch (cause) {
    throw fail([{ offset: 0, message: "the file is nested too deeply" }], cause);
  }
  if (document.errors.length > 0) throw fail(yamlMistakes(document.errors, text));

  const { spelledNumbers, mistakes } = inspectYaml(document);
  if (mistakes.length > 0) throw fail(mistakes);

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MOST_REPEATS });
  } catch (cause) {
    const hint = `anchors may be repeated ${MOST_REPEATS} times in all`;
    throw fail([{ offset: 0, message: "anchors are repeated too often", hint }], cause);
  }
  return {
    file,
    data,
    spelledNumbers,
    doubts: async () =>
      document.warnings.map((warning) => yamlProblem(file, yamlMistake(warning, text), position, "warning")),
    locator: async () => yamlLocate(document, text, position),
  };
}
