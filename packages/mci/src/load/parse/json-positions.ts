import { type Node, parseTree } from "jsonc-parser";
import type { Problem } from "../../errors.ts";
import type { JsonPath } from "../../template-api.ts";
import { formatPath } from "../problems.ts";
import type { RawNumber } from "./parsed.ts";
import { type Locate, positionsOf } from "./positions.ts";

export interface JsonTree {
  readonly locate: Locate;
  /** Keys given twice in one object, as warnings. */
  duplicateKeys(): Problem[];
  /** Numbers that JavaScript writes in another way. */
  rawNumbers(): RawNumber[];
}

/** A JSON text with the position of everything in it. */
export function jsonTree(file: string, text: string): JsonTree {
  const position = positionsOf(text);
  const root = treeOf(text);
  if (root === undefined) return { locate: () => undefined, duplicateKeys: () => [], rawNumbers: () => [] };

  const locate: Locate = (place, { offset, atKey } = {}) => {
    const { node, key, isExact } = find(root, place);
    if (!isExact) return position(node.offset);
    if (atKey && key !== undefined) return position(key.offset);
    if (offset === undefined || node.type !== "string") return position(node.offset);
    return position(
      node.offset + 1 + rawOffset(text.slice(node.offset + 1, node.offset + node.length - 1), offset),
    );
  };

  const duplicateKeys = () =>
    [...duplicates(root, [])].map(({ place, first, again }): Problem => {
      const lines = `${position(first.offset).line} and ${position(again.offset).line}`;
      return {
        message: `The key '${place.at(-1)}' is given twice, on lines ${lines}; the last one counts`,
        hint: "remove one of them",
        file,
        ...position(again.offset),
        path: formatPath(place),
        ...toolNameAt(root, place),
        severity: "warning",
      };
    });

  return { locate, duplicateKeys, rawNumbers: () => [...rawNumbers(root, text, [])] };
}

function toolNameAt(root: Node, [first, index]: JsonPath): { tool?: string } {
  if (first !== "tools" || typeof index !== "number") return {};
  const { node, isExact } = find(root, [first, index, "name"]);
  const name: unknown = node.value;
  return isExact && typeof name === "string" && name !== "" ? { tool: name } : {};
}

/** Undefined for a text nested deeper than the parser's recursion can go. */
function treeOf(text: string): Node | undefined {
  try {
    return parseTree(text);
  } catch {
    return undefined;
  }
}

/** The node at a place, or the nearest one above it. Of a key given twice the last one counts, as in JSON.parse. */
function find(root: Node, place: JsonPath): { node: Node; key?: Node; isExact: boolean } {
  let node = root;
  let key: Node | undefined;
  for (const step of place) {
    const child =
      node.type === "array"
        ? { value: node.children?.[step as number], key: undefined }
        : { ...propertyOf(node, String(step)) };
    if (child.value === undefined) return { node, key, isExact: false };
    node = child.value;
    key = child.key;
  }
  return { node, key, isExact: true };
}

function propertyOf(node: Node, name: string): { key?: Node; value?: Node } {
  const property =
    node.type === "object"
      ? node.children?.findLast(({ children }) => children?.[0]?.value === name)
      : undefined;
  return { key: property?.children?.[0], value: property?.children?.[1] };
}

function* duplicates(node: Node, place: JsonPath): Generator<{ place: JsonPath; first: Node; again: Node }> {
  const seen = new Map<string, Node>();
  for (const [index, child] of (node.children ?? []).entries()) {
    if (node.type === "array") {
      yield* duplicates(child, [...place, index]);
      continue;
    }
    const [key, value] = child.children ?? [];
    if (key === undefined || value === undefined) continue;
    const inside = [...place, key.value as string];
    const first = seen.get(key.value);
    if (first !== undefined) yield { place: inside, first, again: key };
    seen.set(key.value, key);
    yield* duplicates(value, inside);
  }
}

function* rawNumbers(node: Node, text: string, place: JsonPath): Generator<RawNumber> {
  if (node.type === "number") {
    const source = text.slice(node.offset, node.offset + node.length);
    if (source !== String(node.value)) yield { place, text: source };
  } else if (node.type === "array") {
    for (const [index, item] of (node.children ?? []).entries())
      yield* rawNumbers(item, text, [...place, index]);
  } else if (node.type === "object") {
    for (const { children: [key, value] = [] } of node.children ?? [])
      if (value !== undefined) yield* rawNumbers(value, text, [...place, key!.value as string]);
  }
}

/** The offset in the raw text of a JSON string (without its quotes) of an offset in its value. */
function rawOffset(raw: string, offset: number): number {
  let at = 0;
  for (let count = 0; count < offset && at < raw.length; count++) {
    if (raw[at] !== "\\") at += 1;
    else at += raw[at + 1] === "u" ? 6 : 2;
  }
  return at;
}
