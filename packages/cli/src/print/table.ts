import type { Output } from "../command.ts";
import { oneLine } from "./escape-controls.ts";
import { style } from "./style.ts";
import { pad, truncate, width } from "./width.ts";

const GAP = "  ";
/** A column is not made narrower than this to fit the terminal. */
const MIN_COLUMN_WIDTH = 8;

/**
 * Rows under a heading, in columns as wide as their texts; on a terminal cut to its width. Texts are shown as they are:
 * brackets, asterisks and the like mean nothing here.
 */
export function table(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  output: Output,
): string {
  const cells = rows.map((row) => row.map(oneLine));
  const natural = headings.map((heading, column) =>
    Math.max(width(heading), ...cells.map((row) => width(row[column] ?? ""))),
  );
  const widths = output.isTTY ? fit(natural, output.columns) : natural;
  const line = (row: readonly string[]) =>
    widths
      .map((columns, index) => pad(truncate(row[index] ?? "", columns), columns))
      .join(GAP)
      .trimEnd();
  return [style(output, "bold", line(headings)), ...cells.map(line)].map((text) => `${text}\n`).join("");
}

/** Rows for another program: one line each, cells separated by tabs, nothing cut. */
export function tabSeparated(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(oneLine).join("\t")}\n`).join("");
}

/** Takes columns from the widest until the line fits. */
function fit(natural: readonly number[], available: number): number[] {
  const widths = [...natural];
  let over = widths.reduce((sum, columns) => sum + columns, 0) + GAP.length * (widths.length - 1) - available;
  while (over > 0) {
    const [first = 0, second = 0] = [...widths].sort((a, b) => b - a);
    if (first <= MIN_COLUMN_WIDTH) break;
    const cut = Math.min(over, Math.max(1, first - Math.max(second, MIN_COLUMN_WIDTH)));
    widths[widths.indexOf(first)] = first - cut;
    over -= cut;
  }
  return widths;
}
