import { titleOf } from "../matrix.ts";
import { gradeOf } from "../results/grade.ts";
import type { Ask, Cell, Evaluation } from "../types.ts";

const HEAD = [
  "question",
  "prompt",
  "expected",
  "configuration",
  "repeat",
  "state",
  "answer",
  "right",
  "judged by",
  "agreement",
  "confidence",
  "calls",
  "cost usd",
  "seconds",
  "run",
  "error",
];

/** One line for each answer, for spreadsheets. */
export function toCsv(
  evaluation: Evaluation,
  asks: readonly Ask[],
  cells: ReadonlyMap<string, Cell>,
): string {
  const lines = asks.map((ask) => {
    const cell = cells.get(ask.key);
    const { right, by } = gradeOf(ask, cell);
    return [
      ask.row.id,
      ask.prompt,
      expectedText(ask),
      titleOf(ask.column, evaluation),
      ask.repeat,
      cell?.state ?? "not asked",
      textOf(cell?.answer),
      right === undefined ? "" : right ? "right" : "wrong",
      by ?? "",
      cell?.agreement ?? "",
      cell?.confidence ?? "",
      cell?.calls ?? "",
      cell?.cost_usd ?? "",
      cell?.seconds ?? "",
      cell?.run_id ?? "",
      cell?.error?.message ?? "",
    ];
  });
  // With a mark of its encoding: spreadsheets take it for another one otherwise.
  return `\ufeff${[HEAD, ...lines].map((line) => line.map(field).join(",")).join("\r\n")}\r\n`;
}

/** What is expected of an answer, as text. */
export function expectedText({ row: { answer, accept = [], rubric } }: Pick<Ask, "row">): string {
  const accepted = [...(answer === undefined ? [] : [answer]), ...accept].map(textOf);
  return accepted.length > 0 ? accepted.join(" or ") : (rubric ?? "");
}

export const textOf = (value: unknown): string =>
  value === undefined || value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);

const BEGINS = /^(?=[\s\u00a0\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])/;
/** In countries where a spreadsheet expects semicolons it splits at them, at tabs and at line ends, inside of quotes too. */
const BEGINS_A_CELL = /(?<=[;\t\r\n])(?=[ \u00a0"]*[=+\-@\uff1d\uff0b\uff0d\uff20])/g;

/** Numbers stay numbers. Any other text that a spreadsheet would take for a formula begins with a quote, as OWASP advises. */
function field(value: string | number): string {
  if (typeof value === "number") return String(value);
  const isNumber = /^[+-]?\d{1,15}([.,]\d{1,15})?$/.test(value);
  const safe = isNumber ? value : value.replace(BEGINS, "'").replaceAll(BEGINS_A_CELL, "'");
  return /[",\r\n\t']/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}
