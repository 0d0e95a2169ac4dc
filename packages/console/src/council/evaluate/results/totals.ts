import {
  type Comparison,
  compareMethods,
  type Figures,
  figuresOf,
  type Result,
} from "@mci-ts/council-eval/console";
import type { Ask, Cell, Column, Evaluation } from "../types.ts";
import { gradeOf, resultOf } from "./grade.ts";

/** What all answers of one configuration amount to. */
export interface Totals {
  readonly column: Column;
  readonly answered: number;
  readonly failed: number;
  readonly asked: number;
  readonly right: number;
  /** Answers that something says right or wrong of. */
  readonly graded: number;
  /** Undefined where nothing was graded. */
  readonly figures: Figures | undefined;
  /** Against the baseline; undefined for the baseline itself, and where no question was graded in both. */
  readonly comparison: Comparison | undefined;
  /** Of all answers; null where the cost of any is unknown. */
  readonly cost_usd: number | null;
  readonly isSimulated: boolean;
  readonly calls: number;
  readonly medianSeconds: number | undefined;
}

export function totalsOf(
  { columns, baseline }: Evaluation,
  asks: readonly Ask[],
  cells: ReadonlyMap<string, Cell>,
): readonly Totals[] {
  const byColumn = Map.groupBy(asks, ({ column }) => column.id);
  const first = columns.find(({ id }) => id === baseline) ?? columns[0];
  const results = new Map(columns.map(({ id }) => [id, gradedResults(byColumn.get(id) ?? [], cells)]));
  // As one model: what is compared are the configurations, whatever they differ in. The first is what the others are compared with.
  const ordered = [...columns].sort((a, b) => Number(b.id === first?.id) - Number(a.id === first?.id));
  const hasBaseline = first !== undefined && results.get(first.id)!.length > 0;
  const compared = hasBaseline ? compareMethods(ordered.flatMap(({ id }) => results.get(id)!)) : [];
  return columns.map((column) => {
    const own = results.get(column.id)!;
    const all = (byColumn.get(column.id) ?? []).flatMap(({ key }) => cells.get(key) ?? []);
    const over = all.filter(({ state }) => state !== "running");
    const answered = over.filter(({ state }) => state === "answered");
    const seconds = answered.map((cell) => cell.seconds ?? 0).toSorted((a, b) => a - b);
    return {
      column,
      answered: answered.length,
      failed: over.length - answered.length,
      asked: byColumn.get(column.id)?.length ?? 0,
      right: own.filter(({ correct }) => correct).length,
      graded: own.length,
      figures: own.length === 0 ? undefined : figuresOf(own),
      comparison: compared.find(({ method }) => method === column.id),
      cost_usd: costOf(over),
      isSimulated: answered.some(({ cost_source }) => cost_source === "simulated"),
      calls: over.reduce((sum, cell) => sum + (cell.calls ?? 0) + (cell.rubric?.calls ?? 0), 0),
      medianSeconds: seconds[Math.floor(seconds.length / 2)],
    };
  });
}

function gradedResults(asks: readonly Ask[], cells: ReadonlyMap<string, Cell>): readonly Result[] {
  return asks.flatMap((ask) => {
    const cell = cells.get(ask.key);
    return (cell && resultOf(ask, cell, { method: ask.column.id, model: "" })) ?? [];
  });
}

/** What was spent, with the judges; a run that failed before any call costs nothing. */
export function costOf(cells: readonly Cell[]): number | null {
  let sum = 0;
  for (const { cost_usd, rubric, calls = 0 } of cells) {
    if (cost_usd === null && calls > 0) return null;
    if (rubric?.cost_usd === null) return null;
    sum += (cost_usd ?? 0) + (rubric?.cost_usd ?? 0);
  }
  return sum;
}

/** Whether the answers of a row differ in meaning, or in being right. */
export function differs(asks: readonly Ask[], cells: ReadonlyMap<string, Cell>): boolean {
  const seen = new Set<string>();
  for (const ask of asks) {
    const cell = cells.get(ask.key);
    if (cell === undefined || cell.state === "running") continue;
    const { name, right } = gradeOf(ask, cell);
    // Wordings that are all accepted do not differ; where nothing is expected, the answers themselves count.
    seen.add(right === undefined ? `answer ${name}` : right ? "right" : `wrong ${name}`);
  }
  return seen.size > 1;
}
