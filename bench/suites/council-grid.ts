/** Ours, sequential and batched voting side by side over the whole grid, on a simulated clock. */
import { chanceRight, expectedVotes } from "../../packages/council/src/voting/statistics.ts";
import type { Table } from "../suite.ts";
import { type Cell, GRID, type Score, score } from "./council-score.ts";
import { ours, WAY_NAMES, WAYS, type WayName } from "./council-ways.ts";

/** Votes in one cell of the grid, for each way. */
const VOTES = 150;

interface Played extends Cell {
  readonly scores: Readonly<Record<WayName | "speculating", Score>>;
}

export async function simulatedVoting(): Promise<Table[]> {
  const ways = { ...WAYS, speculating: ours({ speculation: 1 }) };
  const played: Played[] = [];
  for (const cell of GRID) {
    const scores: Record<string, Score> = {};
    for (const [name, way] of Object.entries(ways)) scores[name] = await score(way, cell, VOTES);
    played.push({ ...cell, scores: scores as Played["scores"] });
  }
  return [inDetail(played), overall(played)];
}

/** One row per accuracy with k = 3, over the three shares of valid answers. */
function inDetail(played: readonly Played[]): Table {
  const k = 3;
  const rows = [...Map.groupBy(played, ({ p }) => p)].map(([p, ofP]) => {
    const cells = ofP.filter((cell) => cell.k === k);
    const pick = (name: WayName, of: "calls" | "ms" | "wrong") =>
      mean(cells.map(({ scores }) => scores[name][of]));
    return [
      String(p),
      mean(cells.map(({ valid }) => expectedVotes(p, k) / valid)).toFixed(2),
      ...WAY_NAMES.map((name) => pick(name, "calls").toFixed(2)),
      ...WAY_NAMES.map((name) => seconds(pick(name, "ms"))),
      percent(1 - chanceRight(p, k)),
      ...WAY_NAMES.map((name) => percent(pick(name, "wrong"))),
    ];
  });
  return {
    title: `Voting with k = ${k}, in simulated time`,
    about:
      `Means of ${3 * VOTES} votes in each row: ${VOTES} for each share of valid answers (1, 0.97, 0.8). ` +
      "The median latency is 1 s (log-normal, sigma 0.5). Call number n of a vote is the same for all three. " +
      "Sequential: one call after the other. Batched: one call alone, then five at a time, " +
      "counted as they come, the rest cancelled after the decision but paid for.",
    columns: [
      "p",
      "calls by theory",
      ...WAY_NAMES.map((name) => `calls: ${name}`),
      ...WAY_NAMES.map((name) => `time: ${name}`),
      "wrong by theory",
      ...WAY_NAMES.map((name) => `wrong: ${name}`),
    ],
    rows,
  };
}

/** Ours in ratio to each of the others, over all cells. */
function overall(played: readonly Played[]): Table {
  const pairs: [what: string, mine: keyof Played["scores"], other: WayName][] = [
    ["ours to sequential", "ours", "sequential"],
    ["ours to batched", "ours", "batched"],
    ["ours with one call more in flight, to batched", "speculating", "batched"],
  ];
  const rows = pairs.map(([what, mine, other]) => {
    const ratios = (of: "calls" | "ms") =>
      played.map((cell) => ({ cell, ratio: cell.scores[mine][of] / cell.scores[other][of] }));
    const wrong = (name: keyof Played["scores"]) =>
      percent(mean(played.map(({ scores }) => scores[name].wrong)));
    const [calls, times] = [ratios("calls"), ratios("ms")];
    return [what, ...spread(calls), ...spread(times), `${wrong(mine)} to ${wrong(other)}`];
  });
  return {
    title: `Voting over the grid of ${GRID.length} cells, in simulated time`,
    about:
      "Every p of 0.7, 0.8, 0.9, 0.95, 0.998 with every k of 1 to 5 and valid share of 1, 0.97, 0.8. Mean: of the cells' ratios. " +
      "With exactly as many calls in flight as votes are needed none is wasted, and a contested vote is long; " +
      "`speculation: 1` keeps one more in flight.",
    columns: ["", "calls: mean", "best", "worst", "time: mean", "best", "worst", "wrong, all cells"],
    rows,
  };
}

function spread(ratios: readonly { cell: Cell; ratio: number }[]): string[] {
  const sorted = ratios.toSorted((a, b) => a.ratio - b.ratio);
  const named = ({ cell: { p, k, valid }, ratio }: (typeof sorted)[number]) =>
    `${ratio.toFixed(2)} x (p ${p}, k ${k}, valid ${valid})`;
  return [`${mean(ratios.map(({ ratio }) => ratio)).toFixed(2)} x`, named(sorted[0]!), named(sorted.at(-1)!)];
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const seconds = (ms: number) => `${(ms / 1000).toFixed(2)} s`;
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
