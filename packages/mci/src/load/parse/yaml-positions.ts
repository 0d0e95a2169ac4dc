import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar, type YAMLMap } from "yaml";
import type { JsonPath } from "../../template-api.ts";
import type { Locate, Position } from "./positions.ts";
import { offsetInside } from "./yaml-offsets.ts";
import type { AliasTargets } from "./yaml-walk.ts";

/** Positions of a YAML document, also through aliases and merge keys. */
export function yamlLocate(
  document: Document.Parsed,
  targets: AliasTargets,
  text: string,
  position: (offset: number) => Position,
): Locate {
  const find = finder(document, targets);
  return (place, { offset, atKey } = {}) => {
    const { node, key, isExact } = find(place);
    if (isExact && atKey && key !== undefined) return position(startOf(key));
    if (isExact && offset !== undefined && isScalar(node) && typeof node.value === "string") {
      return position(offsetInside(node as Scalar<string>, text, offset));
    }
    return position(node === undefined ? 0 : startOf(node));
  };
}

const startOf = (node: Node) => node.range?.[0] ?? 0;

interface Found {
  readonly node?: Node;
  readonly key?: Node;
  readonly isExact: boolean;
}

/** Keys of a map with their values, and what it merges. */
interface Index {
  readonly own: ReadonlyMap<string, { readonly key: Node; readonly value?: Node }>;
  readonly merged: readonly Node[];
}

/** Finds the node at a path, or its closest ancestor. Maps are indexed on first use. */
function finder(document: Document.Parsed, targets: AliasTargets): (place: JsonPath) => Found {
  const indexes = new Map<Node, Index>();

  const indexOf = (map: YAMLMap): Index => {
    const cached = indexes.get(map);
    if (cached !== undefined) return cached;
    // The last one counts where a key stands twice.
    const own = new Map<string, { key: Node; value?: Node }>();
    const merged: Node[] = [];
    for (const { key, value } of map.items) {
      if (!isScalar(key)) continue;
      own.set(String(key.value), { key, value: (value as Node | null) ?? undefined });
      if (key.value === "<<") merged.push(...((isSeq(value) ? value.items : [value]) as Node[]));
    }
    const index = { own, merged };
    indexes.set(map, index);
    return index;
  };

  const child = (
    target: Node | undefined,
    step: string | number,
    depth = 0,
  ): { key?: Node; value?: Node } | undefined => {
    const node = isAlias(target) ? targets.get(target) : target;
    if (isSeq(node)) {
      const value = node.items[step as number];
      return value === undefined ? undefined : { value: value as Node };
    }
    if (!isMap(node) || depth > MAX_MERGE_DEPTH) return undefined;
    const { own, merged } = indexOf(node);
    const found = own.get(String(step));
    if (found !== undefined) return found;
    for (const source of merged) {
      const inside = child(source, step, depth + 1);
      if (inside !== undefined) return inside;
    }
    return undefined;
  };

  return (place) => {
    let found: Found = { node: document.contents ?? undefined, isExact: true };
    for (const step of place) {
      const inside = child(found.node, step);
      // A key without a value (`name:`) has a path but no node.
      if (inside === undefined) return { ...found, isExact: false };
      found = { node: inside.value ?? inside.key, key: inside.key, isExact: true };
    }
    return found;
  };
}

/** Merges of merges that are followed to find a position. */
const MAX_MERGE_DEPTH = 100;
