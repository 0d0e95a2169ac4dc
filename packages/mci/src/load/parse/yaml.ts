import { type Document, isAlias, isMap, isScalar, isSeq, type Node, parseDocument } from "yaml";
import type { JsonPath } from "../../template-api.ts";
import type { Source } from "../read.ts";
import type { Parsed, RawNumber } from "./parsed.ts";
import { positionsOf } from "./positions.ts";
import { explainYamlError, explainYamlErrors, yamlError, yamlProblem } from "./yaml-errors.ts";
import type { YamlSyntaxError } from "./yaml-indentation.ts";
import { yamlLocate } from "./yaml-positions.ts";

/** Uses of anchors, each counted with the uses inside what it repeats: far above any real file, far below a bomb. */
const MAX_ALIAS_COUNT = 10_000;

/** YAML 1.2, plus the merge keys (`<<`) people use. Words such as `yes`, and dates, stay strings. */
export function parseYaml({ file, text }: Source): Parsed {
  const position = positionsOf(text);
  const fail = (errors: readonly YamlSyntaxError[], cause?: unknown) =>
    yamlError(file, errors, position, cause);

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
  if (document.errors.length > 0) throw fail(explainYamlErrors(document.errors, text));

  const { rawNumbers, errors } = walkYaml(document);
  if (errors.length > 0) throw fail(errors);

  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIAS_COUNT });
  } catch (cause) {
    const hint = `anchors may be repeated ${MAX_ALIAS_COUNT} times in all`;
    throw fail([{ offset: 0, message: "anchors are repeated too often", hint }], cause);
  }
  return {
    file,
    data,
    rawNumbers,
    warnings: async () =>
      document.warnings.map((warning) =>
        yamlProblem(file, explainYamlError(warning, text), position, "warning"),
      ),
    locator: async () => yamlLocate(document, text, position),
  };
}

/** One walk over a document: numbers whose spelling matters, and aliases that lead nowhere or back to themselves. */
function walkYaml(document: Document.Parsed): {
  rawNumbers: RawNumber[];
  errors: YamlSyntaxError[];
} {
  const rawNumbers: RawNumber[] = [];
  const errors: YamlSyntaxError[] = [];
  const above: Node[] = [];

  const walk = (node: unknown, place: JsonPath): void => {
    if (isScalar(node)) {
      const isOdd =
        typeof node.value === "number" && node.source !== undefined && node.source !== String(node.value);
      if (isOdd) rawNumbers.push({ place, text: node.source! });
    } else if (isAlias(node)) {
      const target = node.resolve(document);
      const offset = node.range?.[0] ?? 0;
      if (target === undefined)
        errors.push({ offset, message: `no anchor &${node.source} comes before this` });
      else if (above.includes(target)) errors.push({ offset, message: `*${node.source} contains itself` });
    } else if (isMap(node)) {
      above.push(node);
      for (const { key, value } of node.items)
        walk(value, [...place, isScalar(key) ? String(key.value) : ""]);
      above.pop();
    } else if (isSeq(node)) {
      above.push(node);
      for (const [index, item] of node.items.entries()) walk(item, [...place, index]);
      above.pop();
    }
  };

  walk(document.contents, []);
  return { rawNumbers, errors };
}
