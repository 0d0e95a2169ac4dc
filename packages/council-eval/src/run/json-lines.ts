import { appendFileSync, existsSync, readFileSync } from "node:fs";

/** What was appended to a file; none if there is none. A line that a kill cut in half is left out. */
export function readLines<T extends object>(path: string): readonly T[] {
  if (!existsSync(path)) return [];
  const text = readFileSync(path, "utf8");
  // The next line must not be glued to one that was cut.
  if (text !== "" && !text.endsWith("\n")) appendFileSync(path, "\n");
  return text.split("\n").flatMap((line) => parse<T>(line));
}

/** It is on disk before this returns. */
export function appendLine(path: string, value: object): void {
  appendFileSync(path, `${JSON.stringify(value)}\n`);
}

function parse<T extends object>(line: string): T[] {
  try {
    return line.trim() === "" ? [] : [JSON.parse(line) as T];
  } catch {
    return [];
  }
}
