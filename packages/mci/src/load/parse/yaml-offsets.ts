import type { Scalar } from "yaml";

/** Where in the file an offset of a string's value lies. */
export function offsetInside(node: Scalar<string>, text: string, offset: number): number {
  const [start, end] = node.range ?? [0, 0, 0];
  if (node.type === "BLOCK_LITERAL" || node.type === "BLOCK_FOLDED") {
    const content = text.indexOf("\n", start) + 1;
    const indent = Math.max(0, indentation(text.slice(content, end)) - indentation(node.value));
    const first = content + indentation(text.slice(content, content + indent));
    return walk(node.value, text, {
      at: first,
      end,
      offset,
      lineBreaks: new RegExp(`(?:\\r?\\n {0,${indent}})+`, "y"),
    });
  }
  // Outside blocks, white space around line breaks is not part of the value.
  const lineBreaks = /[ \t]*(?:\r?\n[ \t]*)+/y;
  if (node.type === "QUOTE_DOUBLE") {
    return walk(node.value, text, { at: start + 1, end, offset, lineBreaks, width: doubleQuoted });
  }
  if (node.type === "QUOTE_SINGLE") {
    return walk(node.value, text, { at: start + 1, end, offset, lineBreaks, width: singleQuoted });
  }
  return walk(node.value, text, { at: start, end, offset, lineBreaks });
}

/** Leading spaces of the first line that is not blank. */
const indentation = (lines: string) => /^(?:[ \t]*\r?\n)*( *)/.exec(lines)?.[1]?.length ?? 0;

interface Walk {
  readonly at: number;
  readonly end: number;
  readonly offset: number;
  /** Sticky: a run of line breaks, each with the indentation after it. */
  readonly lineBreaks: RegExp;
  /** How much of the file makes one character of the value. Default 1. */
  readonly width?: (text: string, at: number) => number;
}

/** Walks through file and value in parallel; the value shows how line breaks were folded. */
function walk(value: string, text: string, { at, end, offset, lineBreaks, width = () => 1 }: Walk): number {
  let index = 0;
  while (index < offset && at < end) {
    lineBreaks.lastIndex = at;
    const run = /\s/.test(text[at]!) ? lineBreaks.exec(text)?.[0] : undefined;
    if (run === undefined) {
      const isLongEscape = text.startsWith("\\U", at) && value.codePointAt(index)! > 0xffff;
      if (!isContinuation(text, at)) index += isLongEscape ? 2 : 1;
      at += width(text, at);
      continue;
    }
    at += run.length;
    if (value[index] === " ") index++;
    else for (let left = run.split("\n").length - 1; left > 0 && value[index] === "\n"; left--) index++;
  }
  return Math.min(at, end);
}

const singleQuoted = (text: string, at: number) => (text.startsWith("''", at) ? 2 : 1);

function doubleQuoted(text: string, at: number): number {
  if (text[at] !== "\\") return 1;
  if (isContinuation(text, at)) return /^\\\r?\n[ \t]*/.exec(text.slice(at))![0].length;
  return { x: 4, u: 6, U: 10 }[text[at + 1]!] ?? 2;
}

/** A backslash at the end of a line in double quotes: the break is not part of the value. */
const isContinuation = (text: string, at: number) => text[at] === "\\" && /[\r\n]/.test(text[at + 1] ?? "");
