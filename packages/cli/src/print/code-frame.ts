import type { Output } from "../command.ts";
import { escapeControls } from "./escape-controls.ts";
import { style } from "./style.ts";
import { width } from "./width.ts";

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
