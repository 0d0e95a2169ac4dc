import { readFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import type { Problem } from "mci-ts";
import { describePath } from "mci-ts/authoring";
import type { Context, Output } from "../command.ts";
import { escapeControls, oneLine } from "./escape-controls.ts";
import { style } from "./style.ts";
import { width } from "./width.ts";

/** Prints each problem with its place, the lines around it, and what to do. */
export function problemPrinter({ cwd }: Pick<Context, "cwd">, output: Output): (problem: Problem) => void {
  const sources = new Map<string, string>();
  return (problem) => {
    const { message, file, line, column = 1, hint, severity } = problem;
    const place = placeOf(problem, cwd);
    const label = style(output, ["bold", severity === "error" ? "red" : "yellow"], `${severity}:`);
    output.write(
      `${place === "" ? "" : `${style(output, "cyan", oneLine(place))}: `}${label} ${escapeControls(message)}\n`,
    );
    if (file !== undefined && line !== undefined)
      output.write(indent(codeFrame(source(file), line, column, output)));
    if (hint !== undefined) output.write(`  ${style(output, "green", "hint:")} ${escapeControls(hint)}\n`);
  };

  function source(file: string): string {
    const path = resolve(cwd, file);
    const cached = sources.get(path);
    if (cached !== undefined) return cached;
    const text = read(path);
    sources.set(path, text);
    return text;
  }
}

/**
 * `file:line:column`, the file as seen from the current directory, then the path in the document. Without a line it is
 * about the file itself, and where that was looked for matters: all of its path.
 */
export function placeOf(problem: Problem, cwd: string): string {
  const { file, line, column = 1 } = problem;
  const path = describePath(problem);
  const place =
    file === undefined
      ? ""
      : line === undefined
        ? resolve(cwd, file)
        : `${shortPath(file, cwd)}:${line}:${column}`;
  return path === "" ? place : place === "" ? path : `${place} (${path})`;
}

/** A path relative to the current directory if it lies in it, absolute otherwise. */
export function shortPath(file: string, cwd: string): string {
  const way = relative(cwd, resolve(cwd, file));
  return way === "" || way.startsWith("..") ? file : way;
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch {
    return ""; // It was there a moment ago; the message stands without the frame.
  }
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** Lines shown above and below the one that is pointed at. */
const CONTEXT_LINES = 1;

/** A few lines of the source, with a caret under the place. Empty if the place is not in the source. */
export function codeFrame(source: string, line: number, column: number, output: Output): string {
  const lines = source.split(/\r\n|\n|\r/);
  if (line < 1 || line > lines.length) return "";
  const first = Math.max(1, line - CONTEXT_LINES);
  const last = Math.min(lines.length, line + CONTEXT_LINES);
  const gutter = String(last).length;
  const room = (output.isTTY ? Math.max(output.columns, 40) : 120) - gutter - 5;
  // One window for all lines, around the place, so that a file of one endless line can be shown too.
  const start = column > room - 10 ? Math.max(0, column - Math.floor(room / 2)) : 0;
  const visiblePart = (text: string) => escapeControls(text.replaceAll("\t", " ").slice(start, start + room));

  const frame: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? "";
    const marker = number === line ? ">" : " ";
    const label = `${marker} ${String(number).padStart(gutter)} |`;
    frame.push(`${style(output, number === line ? "red" : "dim", label)} ${visiblePart(text)}`.trimEnd());
    if (number !== line) continue;
    const before = width(visiblePart(text.slice(0, Math.max(0, column - 1))));
    frame.push(
      `${style(output, "dim", `  ${" ".repeat(gutter)} |`)} ${" ".repeat(before)}${style(output, "red", "^")}`,
    );
  }
  return frame.map((text) => `${text}\n`).join("");
}
