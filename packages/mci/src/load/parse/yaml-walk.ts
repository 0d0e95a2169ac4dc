import { type Document, isAlias, isMap, isScalar, isSeq, type Node } from "yaml";
import type { Place } from "../../template-api.ts";
import type { SpelledNumber } from "./parsed.ts";
import type { YamlMistake } from "./yaml-errors.ts";

/** One walk over a document: numbers whose spelling matters, and aliases that lead nowhere or back to themselves. */
export function inspectYaml(document: Document.Parsed): {
  spelledNumbers: SpelledNumber[];
  mistakes: YamlMistake[];
} {
  const spelledNumbers: SpelledNumber[] = [];
  const mistakes: YamlMistake[] = [];
  const above: Node[] = [];

  const walk = (node: unknown, place: Place): void => {
    if (isScalar(node)) {
      const isOdd =
        typeof node.value === "number" && node.source !== undefined && node.source !== String(node.value);
      if (isOdd) spelledNumbers.push({ place, text: node.source! });
    } else if (isAlias(node)) {
      const target = node.resolve(document);
      const offset = node.range?.[0] ?? 0;
      if (target === undefined)
        mistakes.push({ offset, message: `no anchor &${node.source} comes before this` });
      else if (above.includes(target)) mistakes.push({ offset, message: `*${node.source} contains itself` });
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
  return { spelledNumbers, mistakes };
}
