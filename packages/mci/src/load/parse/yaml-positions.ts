import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from "yaml";
import type { JsonPath } from "../../template-api.ts";
import type { Locate, Position } from "./positions.ts";
import { offsetInside } from "./yaml-offsets.ts";

/** Positions of a YAML document, also through aliases and merge keys. */
export function yamlLocate(
  document: Document.Parsed,
  text: string,
  position: (offset: number) => Position,
): Locate {
  return (place, { offset, atKey } = {}) => {
    const { node, key, isExact } = find(document, place);
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

/** The node at a place, or the nearest one above it. */
function find(document: Document.Parsed, place: JsonPath): Found {
  let found: Found = { node: document.contents ?? undefined, isExact: true };
  for (const step of place) {
    const inside = child(document, found.node, step);
    // A key without a value (`name:`) has a place but no node.
    if (inside === undefined) return { ...found, isExact: false };
    found = { node: inside.value ?? inside.key, key: inside.key, isExact: true };
  }
  return found;
}

function child(
  document: Document.Parsed,
  node: Node | undefined,
  step: string | number,
): { key?: Node; value?: Node } | undefined {
  if (isAlias(node)) return child(document, node.resolve(document), step);
  if (isSeq(node)) {
    const value = node.items[step as number];
    return value === undefined ? undefined : { value: value as Node };
  }
  if (!isMap(node)) return undefined;
  for (const { key, value } of node.items) {
    if (isScalar(key) && String(key.value) === String(step))
      return { key, value: (value as Node | null) ?? undefined };
  }
  for (const { key, value } of node.items) {
    if (!isScalar(key) || key.value !== "<<") continue;
    for (const merged of isSeq(value) ? value.items : [value]) {
      const inside = child(document, merged as Node, step);
      if (inside !== undefined) return inside;
    }
  }
  return undefined;
}
