import { isObject } from "@mci-ts/primitives/is-object";
import {
  type Document,
  isMap,
  isScalar,
  isSeq,
  type Node,
  type Scalar,
  stringify,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";

/**
 * The text with the entry at `index` of `toolsets` (-1: at its end), made by inserting and replacing characters only
 * where something changes. Undefined where that is not possible; the caller checks what the result means.
 */
export function editYamlText(
  source: string,
  { contents }: Document,
  index: number,
  entry: unknown,
): string | undefined {
  if (!isMap(contents) || contents.flow) return undefined;
  const eol = source.includes("\r\n") ? "\r\n" : "\n";
  const pair = contents.items.find(({ key }) => isScalar(key) && key.value === "toolsets");
  if (pair === undefined) {
    const text = source === "" || source.endsWith("\n") ? source : source + eol;
    return `${text}toolsets:${eol}${item("  ", entry, eol)}${eol}`;
  }
  const value = pair.value as Node | null;
  if (isSeq(value)) {
    if (index >= 0) return replaceItem(source, value.items[index] as Node, entry, value.flow === true, eol);
    return value.flow ? appendFlow(source, value, entry) : appendBlock(source, value, entry, eol);
  }
  return fillEmpty(source, pair.key as Scalar, value, entry, eol);
}

/** `toolsets:` or `toolsets: null`: the items go on the lines below. */
function fillEmpty(source: string, key: Scalar, value: Node | null, entry: unknown, eol: string): string {
  const [start, end] = value?.range ?? [0, 0];
  const isWritten = /^(null|~)$/i.test(source.slice(start, end));
  const without = isWritten ? source.slice(0, start).trimEnd() + source.slice(end) : source;
  const at = endOfLine(without, key.range![1]);
  return `${without.slice(0, at)}${eol}${item("  ", entry, eol)}${without.slice(at)}`;
}

function appendBlock(source: string, list: YAMLSeq, entry: unknown, eol: string): string | undefined {
  const last = list.items.at(-1) as Node | undefined;
  if (!last?.range) return undefined;
  const [start, end] = last.range;
  const indent = /^([ \t]*)-[ \t]+$/.exec(source.slice(source.lastIndexOf("\n", start - 1) + 1, start))?.[1];
  if (indent === undefined) return undefined;
  // A block mapping ends at the start of the next line, a word in the middle of its own.
  const at = endOfLine(source, source.slice(0, end).trimEnd().length);
  return `${source.slice(0, at)}${eol}${item(indent, entry, eol)}${source.slice(at)}`;
}

function appendFlow(source: string, list: YAMLSeq, entry: unknown): string {
  const last = list.items.at(-1) as Node | undefined;
  const at = last?.range?.[1] ?? list.range![0] + 1;
  return `${source.slice(0, at)}${last ? ", " : ""}${flow(entry)}${source.slice(at)}`;
}

/** Rewrites one item. A mapping keeps the pairs that do not change, with their comments. */
function replaceItem(
  source: string,
  before: Node,
  entry: unknown,
  inFlow: boolean,
  eol: string,
): string | undefined {
  const [start, end] = before.range!;
  if (isMap(before) && isObject(entry)) return replacePairs(source, before, entry, eol);
  if (inFlow) return source.slice(0, start) + flow(entry) + source.slice(end);
  const indent = /^([ \t]*)-[ \t]+$/.exec(source.slice(source.lastIndexOf("\n", start - 1) + 1, start))?.[1];
  if (indent === undefined) return undefined;
  return source.slice(0, start) + block(entry, `${indent}  `, eol) + source.slice(end);
}

function replacePairs(
  source: string,
  map: YAMLMap,
  entry: Record<string, unknown>,
  eol: string,
): string | undefined {
  let text = source;
  const added: string[] = [];
  const places = new Map(
    map.items.map(({ key, value }) => [(key as Scalar).value, (value as Node | null)?.range]),
  );
  // From the back, so that the places further up stay right.
  for (const [key, value] of Object.entries(entry).reverse()) {
    const range = places.get(key);
    if (range)
      text = text.slice(0, range[0]) + (map.flow ? flow(value) : scalar(value)) + text.slice(range[1]);
    else added.unshift(`${key}: ${map.flow ? flow(value) : scalar(value)}`);
  }
  const shift = text.length - source.length;
  const lastRange = (map.items.at(-1)?.value as Node | null | undefined)?.range;
  if (added.length === 0 || !lastRange) return added.length === 0 ? text : undefined;
  const end = lastRange[1] + shift;
  if (map.flow) return `${text.slice(0, end)}, ${added.join(", ")}${text.slice(end)}`;
  const [first] = map.range!;
  const indent = " ".repeat(first - (source.lastIndexOf("\n", first - 1) + 1));
  const at = endOfLine(text, end);
  return text.slice(0, at) + added.map((line) => `${eol}${indent}${line}`).join("") + text.slice(at);
}

function endOfLine(text: string, from: number): number {
  const newline = text.indexOf("\n", from);
  const end = newline < 0 ? text.length : newline;
  return text[end - 1] === "\r" ? end - 1 : end;
}

/** One item of a block list, without its line end. */
function item(indent: string, entry: unknown, eol: string): string {
  return `${indent}- ${block(entry, `${indent}  `, eol)}`;
}

function block(entry: unknown, indent: string, eol: string): string {
  if (!isObject(entry)) return scalar(entry);
  return Object.entries(entry)
    .map(([key, value]) => `${key}: ${isObject(value) || Array.isArray(value) ? flow(value) : scalar(value)}`)
    .join(`${eol}${indent}`);
}

function scalar(value: unknown): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}

/** As JSON, which YAML can read anywhere; plain words stay plain. */
function flow(value: unknown): string {
  if (typeof value === "string" && /^[A-Za-z_][\w./-]*$/.test(value)) return scalar(value);
  if (Array.isArray(value)) return `[${value.map(flow).join(", ")}]`;
  if (!isObject(value)) return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, inner]) => `${key}: ${flow(inner)}`)
    .join(", ")} }`;
}
