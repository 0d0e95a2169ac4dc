import type { Comparison } from "@mci-ts/council-eval/console";
import { useDeferredValue, useMemo } from "react";
import { formatDuration, formatMoney, formatNumber, formatPercent, plural } from "../../../parts/format.ts";
import { ScrollTable } from "../../../parts/lists/scroll-table.tsx";
import { type Matrix, titleOf } from "../matrix.ts";
import type { Cell, Evaluation } from "../types.ts";
import { type Totals, totalsOf } from "./totals.ts";

/** What the answers of each configuration amount to, and whether the difference to one of them is more than chance. */
export function TotalsTable({
  evaluation,
  matrix,
  cells,
  edit,
}: {
  evaluation: Evaluation;
  matrix: Matrix;
  cells: ReadonlyMap<string, Cell>;
  edit: (patch: Partial<Evaluation>) => void;
}) {
  // Computed again when there is time: answers come first.
  const deferred = useDeferredValue(cells);
  const { columns, baseline } = evaluation;
  const totals = useMemo(
    () => totalsOf(evaluation, matrix.asks, deferred),
    [columns, baseline, matrix, deferred],
  );
  const first = columns.find(({ id }) => id === baseline) ?? columns[0];
  const isRepeated = evaluation.repeats > 1;
  const head = [
    "Configuration",
    "Right",
    "95 % interval",
    ...(isRepeated ? ["All repeats right"] : []),
    "Cost",
    "Per right answer",
    "Calls",
    "Median time",
    "Compared",
  ];
  return (
    <section className="card" aria-label="Totals">
      <div className="row spread totals-head">
        <h2>Totals</h2>
        {columns.length > 1 && (
          <label>
            Compared with
            <select value={first?.id ?? ""} onChange={({ target }) => edit({ baseline: target.value })}>
              {columns.map((column) => (
                <option key={column.id} value={column.id}>
                  {titleOf(column, evaluation)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <ScrollTable label="Totals of each configuration" className="totals" columns={head}>
        {totals.map((each) => (
          <tr key={each.column.id}>
            <th scope="row">
              <bdi>{titleOf(each.column, evaluation)}</bdi>
            </th>
            <TotalCells totals={each} isRepeated={isRepeated} isBaseline={each.column.id === first?.id} />
          </tr>
        ))}
      </ScrollTable>
      <details className="explanation">
        <summary>How these are computed</summary>
        <p className="muted">
          Right: by a person, by the expected answer as <code>mci-council eval</code> compares it, or by a
          model where there is only a rubric. An undecided vote and a failed run count as wrong. The interval
          is that of Wilson; with repeats, a bootstrap over the questions. p: the chance of such a difference
          if there were none, on the questions that both answered (exact McNemar, or a paired bootstrap with
          repeats), allowed for the number of comparisons (Holm).
        </p>
      </details>
    </section>
  );
}

function TotalCells({
  totals: {
    figures,
    right,
    graded,
    answered,
    failed,
    asked,
    cost_usd,
    isSimulated,
    calls,
    medianSeconds,
    comparison,
  },
  isRepeated,
  isBaseline,
}: {
  totals: Totals;
  isRepeated: boolean;
  isBaseline: boolean;
}) {
  const over = answered + failed;
  return (
    <>
      <td>
        {figures
          ? `${formatPercent(figures.accuracy)} (${formatNumber(right)} of ${formatNumber(graded)})`
          : "not judged"}
        {over < asked && <small>{formatNumber(asked - over)} to come</small>}
        {failed > 0 && <small>{formatNumber(failed)} failed</small>}
        {graded < over && <small>{formatNumber(over - graded)} not judged</small>}
      </td>
      <td>{figures ? figures.interval.map(formatPercent).join(" to ") : "–"}</td>
      {isRepeated && <td>{figures ? formatPercent(figures.pass_all.at(-1) ?? 0) : "–"}</td>}
      <td>{over === 0 ? "–" : formatMoney(cost_usd, isSimulated ? "simulated" : null)}</td>
      <td>{figures ? perRight(figures.per_right, isSimulated) : "–"}</td>
      <td>{formatNumber(calls)}</td>
      <td>{medianSeconds === undefined ? "–" : formatDuration(medianSeconds * 1000)}</td>
      <td>{isBaseline ? "with this one" : comparison ? <Compared comparison={comparison} /> : "–"}</td>
    </>
  );
}

function perRight(
  { calls, seconds, cost_usd }: { calls: number | null; seconds: number | null; cost_usd: number | null },
  isSimulated: boolean,
): string {
  if (calls === null || seconds === null) return "none right";
  const cost = isSimulated || cost_usd === null ? [] : [formatMoney(cost_usd, null)];
  return [...cost, `${formatNumber(Math.round(calls * 10) / 10)} calls`, formatDuration(seconds * 1000)].join(
    ", ",
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { difference, interval, only_method, only_baseline, p_adjusted, questions, test } = comparison;
  const points = (share: number) => `${share > 0 ? "+" : ""}${(100 * share).toFixed(1)}`;
  return (
    <>
      {points(difference)} points ({interval.map(points).join(" to ")}), p = {p_adjusted.toFixed(3)}
      <small>
        {p_adjusted < 0.05 ? "more than chance" : "could be chance"}: on {plural(questions, "question")},{" "}
        {formatNumber(only_method)} only here, {formatNumber(only_baseline)} only there ({test})
      </small>
    </>
  );
}
