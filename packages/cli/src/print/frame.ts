import type { Output } from "../command.ts";
import { printable } from "./printable.ts";
import { style } from "./style.ts";
import { width } from "./width.ts";

/** Lines shown above and below the one that is pointed at. */
const AROUND = 1;

/** A few lines of the source, with a caret under the place. Empty if the place is not in the source. */
export function codeFrame(source: string, line: number, column: number, output: Output): string {
  const lines = source.split(/\r\n|\n|\r/);
  if (line < 1 || line > lines.length) return "";
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const gutter = String(last).length;
  const room = (output.isTTY ? Math.max(output.columns, 40) : 120) - gutter - 5;
  // One window for all lines, around the place, so that a file of one endless line can be shown too.
  const start = column > room - 10 ? Math.max(0, column - Math.floor(room / 2)) : 0;
  const cut = (text: string) => printable(text.replaceAll("\t", " ").slice(start, start + room));

  const shown: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? "";
    const marker = number === line ? ">" : " ";
    const label = `${marker} ${String(number).padStart(gutter)} |`;
    shown.push(`${style(output, number === line ? "red" : "dim", label)} ${cut(text)}`.trimEnd());
    if (number !== line) continue;
    const before = width(cut(text.slice(0, Math.max(0, column - 1))));
    shown.push(
      `${style(output, "dim", `  ${" ".repeat(gutter)} |`)} ${" ".repeat(before)}${style(output, "red", "^")}`,
    );
  }
  return shown.map((text) => `${text}\n`).join("");
}
