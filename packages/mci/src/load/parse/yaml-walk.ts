import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type YAMLMap } from "yaml";
import type { JsonPath } from "../../template-api.ts";
import type { RawNumber } from "./parsed.ts";
import type { YamlSyntaxError } from "./yaml-indentation.ts";

/** The node that each alias stands for. */
export type AliasTargets = ReadonlyMap<Node, Node>;

export interface YamlWalk {
  /** Numbers whose source text matters. */
  readonly rawNumbers: readonly RawNumber[];
  /** Aliases that have no anchor or contain themselves; merge keys that repeat too much. */
  readonly errors: readonly YamlSyntaxError[];
  readonly duplicateKeys: readonly DuplicateKey[];
  readonly targets: AliasTargets;
}

interface DuplicateKey {
  readonly key: string;
  readonly first: number;
  readonly offset: number;
}

/** Keys that merge keys (`<<`) may add to a document in all: chains of them multiply. */
const MAX_MERGED_KEYS = 1_000_000;
/** Further duplicate keys are not listed. */
const MAX_DUPLICATES = 100;

/** One walk over a document, in its order: the library searches the whole document for each alias. */
export function walkYaml(document: Document.Parsed): YamlWalk {
  const rawNumbers: RawNumber[] = [];
  const errors: YamlSyntaxError[] = [];
  const duplicateKeys: DuplicateKey[] = [];
  const targets = new Map<Node, Node>();
  const anchors = new Map<string, Node>();
  const sizes = new Map<Node, number>();
  const ancestors = new Set<Node>();
  let mergedKeys = 0;

  const walk = (node: unknown, place: JsonPath): void => {
    if (isAlias(node)) walkAlias(node);
    if (isScalar(node) || isMap(node) || isSeq(node)) if (node.anchor) anchors.set(node.anchor, node);
    if (isScalar(node)) {
      const isRaw =
        typeof node.value === "number" && node.source !== undefined && node.source !== String(node.value);
      if (isRaw) rawNumbers.push({ place, text: node.source! });
    } else if (isMap(node)) {
      ancestors.add(node);
      walkMap(node, place);
      ancestors.delete(node);
    } else if (isSeq(node)) {
      ancestors.add(node);
      for (const [index, item] of node.items.entries()) walk(item, [...place, index]);
      ancestors.delete(node);
    }
  };

  const walkAlias = (alias: Alias) => {
    const target = anchors.get(alias.source);
    const offset = startOf(alias);
    if (target === undefined)
      errors.push({ offset, message: `no anchor &${alias.source} comes before this` });
    else if (ancestors.has(target)) errors.push({ offset, message: `*${alias.source} contains itself` });
    else targets.set(alias, target);
  };

  const walkMap = (map: YAMLMap, place: JsonPath) => {
    const seen = new Map<string, number>();
    let merged = 0;
    for (const { key, value } of map.items) {
      const name = isScalar(key) ? String(key.value) : "";
      walk(value, [...place, name]);
      if (name === "<<") {
        merged += mergedSize(value);
        continue;
      }
      const offset = startOf(key);
      const first = seen.get(name);
      if (first === undefined) seen.set(name, offset);
      else if (duplicateKeys.length < MAX_DUPLICATES) duplicateKeys.push({ key: name, first, offset });
    }
    sizes.set(map, map.items.length + merged);
    mergedKeys += merged;
    if (mergedKeys <= MAX_MERGED_KEYS || errors.length > 0) return;
    const message = "merge keys (<<) repeat too much";
    const hint = `they may add ${MAX_MERGED_KEYS} keys in all`;
    errors.push({ offset: startOf(map), message, hint });
  };

  const mergedSize = (value: unknown): number => {
    const sources = isSeq(value) ? value.items : [value];
    return sources.reduce<number>(
      (sum, source) => sum + (sizes.get(targets.get(source as Node) ?? (source as Node)) ?? 1),
      0,
    );
  };

  walk(document.contents, []);
  return { rawNumbers, errors, duplicateKeys, targets };
}

function startOf(node: unknown): number {
  return (node as Node | null)?.range?.[0] ?? 0;
}
