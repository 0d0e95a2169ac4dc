import { formatMoney, formatPercent } from "../../../parts/format.ts";
import { titleOf } from "../matrix.ts";
import { gradeOf } from "../results/grade.ts";
import { totalsOf } from "../results/totals.ts";
import type { Ask, Cell, Evaluation } from "../types.ts";
import { expectedText, textOf } from "./export-csv.ts";

const MAX_CHARS = 300;

/** The totals, and a row for each question with the beginning of every answer. */
export function toMarkdown(
  evaluation: Evaluation,
  asks: readonly Ask[],
  cells: ReadonlyMap<string, Cell>,
): string {
  const { columns } = evaluation;
  const titles = columns.map((column) => titleOf(column, evaluation));
  const totals = totalsOf(evaluation, asks, cells).map(
    ({ figures, right, graded, cost_usd, isSimulated, medianSeconds, comparison }, index) => [
      titles[index]!,
      figures ? `${right} of ${graded} (${formatPercent(figures.accuracy)})` : "not judged",
      figures?.interval.map(formatPercent).join(" to ") ?? "",
      formatMoney(cost_usd, isSimulated ? "simulated" : null),
      medianSeconds === undefined ? "" : `${medianSeconds.toFixed(2)} s`,
      comparison ? comparison.p_adjusted.toFixed(3) : "",
    ],
  );
  const rows = [...Map.groupBy(asks, ({ row }) => row)].map(([row, own]) => [
    row.id,
    own[0]!.prompt,
    expectedText(own[0]!),
    ...columns.map(({ id }) =>
      own
        .filter(({ column }) => column.id === id)
        .map((ask) => answerText(ask, cells.get(ask.key)))
        .join(" / "),
    ),
  ]);
  return [
    `# ${plain(evaluation.name || "Evaluation")}`,
    table(["Configuration", "Right", "95 % interval", "Cost", "Median time", "p, adjusted"], totals),
    table(["Id", "Question", "Expected", ...titles], rows),
    "",
  ].join("\n\n");
}

function answerText(ask: Ask, cell: Cell | undefined): string {
  if (cell === undefined || cell.state === "running") return "not answered";
  const { right } = gradeOf(ask, cell);
  const mark = right === undefined ? "" : right ? "✓ " : "✗ ";
  return `${mark}${cell.error ? `failed: ${cell.error.message}` : cell.answer === null ? "undecided" : textOf(cell.answer)}`;
}

const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => "---"), ...rows]
    .map((cells) => `| ${cells.map((cell) => (cell === "---" ? cell : plain(cell))).join(" | ")} |`)
    .join("\n");

/** One line in which nothing is markup. */
function plain(value: string): string {
  const cut = value.length > MAX_CHARS ? `${value.slice(0, MAX_CHARS)}…` : value;
  return cut.replaceAll(/\s+/g, " ").replaceAll(/[\\|<>`*_[\]!#&]/g, "\\$&");
}
