import type { Row, Table } from "./suite.ts";

/** Markdown: rows next to each other as one table, other tables under their own headings. */
export function format(parts: readonly (Row | Table)[]): string {
  const tables: string[] = [];
  let rows: Row[] = [];
  const endRows = () => {
    if (rows.length > 0) tables.push(formatRows(rows));
    rows = [];
  };
  for (const part of parts) {
    if (!("columns" in part)) {
      rows.push(part);
      continue;
    }
    endRows();
    const about = part.about === undefined ? "" : `${part.about}\n\n`;
    tables.push(`### ${part.title}\n\n${about}${formatTable(part.columns, part.rows)}`);
  }
  endRows();
  return tables.join("\n\n");
}

function formatRows(rows: readonly Row[]): string {
  const cells = rows.map((row) => {
    const { what, bare = "", ours, ratio, note = "" } = row;
    return [what, bare, ours, formatRatio(ratio), formatTarget(row), note];
  });
  return formatTable(["", "bare", "ours", "ratio", "target", ""], cells, [4, 5]);
}

/** Where two sides are nearly alike, a hundredth says too little. */
function formatRatio(ratio: number | undefined): string {
  if (ratio === undefined) return "";
  return `${ratio.toFixed(Math.abs(ratio - 1) < 0.1 ? 3 : 2)} x`;
}

function formatTarget({ target, ratio, met }: Row): string {
  if (target === undefined) return "";
  const reached = typeof target === "number" && ratio !== undefined ? ratio <= target : met;
  const verdict = reached === undefined ? "" : reached ? " met" : " MISSED";
  return `${typeof target === "number" ? `≤ ${target} x` : target}${verdict}`;
}

/** Numbers to the right; the first column, and those in `words`, to the left. */
function formatTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  words: readonly number[] = [],
): string {
  const rule = columns.map((_, index) => (index === 0 || words.includes(index) ? "---" : "---:"));
  return [columns, rule, ...rows].map((line) => `| ${line.join(" | ")} |`).join("\n");
}
