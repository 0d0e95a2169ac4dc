import { textOf } from "../export/export-csv.ts";
import type { Ask, Cell, Row } from "../types.ts";
import { gradeOf } from "./grade.ts";
import { differs } from "./totals.ts";

/** A row of the matrix with the asks of each of its cells. */
export interface MatrixRow {
  readonly row: Row;
  /** By configuration, in their order; each has one ask for each repeat. */
  readonly cells: readonly (readonly Ask[])[];
}

export function rowsOf(asks: readonly Ask[]): readonly MatrixRow[] {
  return [...Map.groupBy(asks, ({ row }) => row)].map(([row, own]) => ({
    row,
    cells: [...Map.groupBy(own, ({ column }) => column.id).values()],
  }));
}

export const SHOWN = {
  differ: "only rows that differ",
  wrong: "some wrong",
  allwrong: "all wrong",
  failed: "failed",
  undecided: "undecided",
  unjudged: "not judged",
  open: "not answered",
} as const;
export type Shown = keyof typeof SHOWN;

export const SORTS = {
  wrong: "most wrong first",
  cost: "dearest first",
  time: "slowest first",
  agreement: "least agreement first",
} as const;

/** Those that match, in the wanted order; equal ones as they were. */
export function selectRows(
  rows: readonly MatrixRow[],
  known: ReadonlyMap<string, Cell>,
  { show, sort, words }: { readonly show: string; readonly sort: string; readonly words: string },
): readonly MatrixRow[] {
  const filter = FILTERS.get(show);
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  const matching = rows.filter(
    (row) => (!filter || filter(row, known)) && (wanted.length === 0 || hasWords(row, known, wanted)),
  );
  const weight = WEIGHTS.get(sort);
  if (!weight) return matching;
  return matching
    .map((row) => ({ row, weight: weight(cellsOf(row, known), row) }))
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ row }) => row);
}

const asksOf = ({ cells }: MatrixRow) => cells.flat();
const cellsOf = (row: MatrixRow, known: ReadonlyMap<string, Cell>) =>
  asksOf(row).flatMap((ask) => {
    const cell = known.get(ask.key);
    return cell ? [{ ask, cell }] : [];
  });

type Filter = (row: MatrixRow, known: ReadonlyMap<string, Cell>) => boolean;
const some =
  (test: (ask: Ask, cell: Cell) => boolean): Filter =>
  (row, known) =>
    cellsOf(row, known).some(({ ask, cell }) => test(ask, cell));

const FILTERS = new Map<string, Filter>([
  ["differ", (row, known) => differs(asksOf(row), known)],
  ["wrong", some((ask, cell) => gradeOf(ask, cell).right === false)],
  [
    "allwrong",
    (row, known) => {
      const all = cellsOf(row, known);
      return all.length > 0 && all.every(({ ask, cell }) => gradeOf(ask, cell).right === false);
    },
  ],
  ["failed", some((_, { state }) => state === "failed")],
  ["undecided", some((_, { verdict }) => verdict !== undefined && verdict !== "decided")],
  ["unjudged", some((ask, cell) => cell.state === "answered" && gradeOf(ask, cell).right === undefined)],
  ["open", (row, known) => asksOf(row).some(({ key }) => (known.get(key)?.state ?? "running") === "running")],
]);

type Weight = (cells: readonly { readonly ask: Ask; readonly cell: Cell }[], row: MatrixRow) => number;

const WEIGHTS = new Map<string, Weight>([
  ["wrong", (cells) => cells.filter(({ ask, cell }) => gradeOf(ask, cell).right === false).length],
  ["cost", (cells) => cells.reduce((sum, { cell }) => sum + (cell.cost_usd ?? 0), 0)],
  ["time", (cells) => cells.reduce((most, { cell }) => Math.max(most, cell.seconds ?? 0), 0)],
  ["agreement", (cells) => -cells.reduce((least, { cell }) => Math.min(least, cell.agreement ?? 1), 1)],
]);

function hasWords(row: MatrixRow, known: ReadonlyMap<string, Cell>, words: readonly string[]): boolean {
  const texts = [
    row.row.id,
    ...row.cells.map(([ask]) => ask?.prompt ?? ""),
    ...cellsOf(row, known).map(({ cell }) => textOf(cell.answer)),
  ].map((text) => text.toLowerCase());
  return words.every((word) => texts.some((text) => text.includes(word)));
}
