import { dollars } from "../estimate.ts";
import type { Summary, Theory } from "../summary.ts";

export const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

const COLUMNS: readonly (readonly [string, (one: Summary) => string])[] = [
  ["Method", ({ method }) => method],
  ["Model", ({ model }) => model],
  [
    "Questions",
    ({ questions, failed }) => (failed === 0 ? `${questions}` : `${questions} (${failed} failed)`),
  ],
  ["Accuracy", ({ accuracy }) => percent(accuracy)],
  ["95 % interval", ({ interval }) => interval.map(percent).join(" to ")],
  ["Calls", ({ calls }) => calls.toFixed(2)],
  ["For grading", ({ grading_calls }) => (grading_calls === 0 ? "" : grading_calls.toFixed(2))],
  ["Cost", ({ cost_usd }) => (cost_usd === null ? "unknown" : dollars(cost_usd))],
  ["Median time", ({ median_seconds }) => `${median_seconds.toFixed(2)} s`],
  ["p95", ({ p95_seconds }) => `${p95_seconds.toFixed(2)} s`],
];

export const HEADINGS = COLUMNS.map(([heading]) => heading);
export const rowOf = (one: Summary): readonly string[] => COLUMNS.map(([, cell]) => cell(one));

export const THEORY_HEADINGS = ["Model", "k", "Wrong, measured", "Wrong, by theory"];
export const theoryRows = (theory: readonly Theory[]): readonly (readonly string[])[] =>
  theory.flatMap(({ model, errors }) =>
    errors.map(({ k, measured, theory }) => [model, String(k), percent(measured), percent(theory)]),
  );

export const describeP = ({ model, p, interval, votes }: Theory): string =>
  `${model}: one vote is right with p = ${p.toFixed(3)} (95 % interval ${interval.map((one) => one.toFixed(3)).join(" to ")}, ${votes} votes)`;

/** For standard output. */
export function textReport(summaries: readonly Summary[], theory: readonly Theory[]): string {
  const parts = [aligned([HEADINGS, ...summaries.map(rowOf)])];
  if (theory.length > 0)
    parts.push([...theory.map(describeP), ""].join("\n"), aligned([THEORY_HEADINGS, ...theoryRows(theory)]));
  return parts.join("\n");
}

function aligned(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((cells) => cells[i]!.length)));
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padEnd(widths[i]!))
      .join("  ")
      .trimEnd();
  return `${rows.map(line).join("\n")}\n`;
}
