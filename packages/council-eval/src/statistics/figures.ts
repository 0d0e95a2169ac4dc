import { wilson } from "@mci-ts/primitives/wilson";
import type { Result } from "../run/results-file.ts";
import { bootstrap, type Interval, mean, passAll } from "./statistics.ts";

/** How often one way to answer was right, and what it took. */
export interface Figures {
  readonly questions: number;
  /** How often each question was asked. */
  readonly runs: number;
  /** pass^1, pass^2, …: the chance that so many runs of a question are all right. */
  readonly pass_all: readonly number[];
  /** Runs without an answer, counted as wrong. */
  readonly failed: number;
  readonly accuracy: number;
  /** 95 %, over the questions: Wilson, or bootstrap where some were right in one run and wrong in another. */
  readonly interval: Interval;
  /** Per question, with those of the grader. */
  readonly calls: number;
  /** Per question, of the calls above. */
  readonly grading_calls: number;
  /** The cost of all questions; null when the cost of any is unknown. */
  readonly cost_usd: number | null;
  /** What one right answer took; null where there is none, or its cost is unknown. */
  readonly per_right: {
    readonly calls: number | null;
    readonly cost_usd: number | null;
    readonly seconds: number | null;
  };
  readonly median_seconds: number;
  readonly p95_seconds: number;
}

/** Of all results of one method and model. */
export function figuresOf(all: readonly Result[]): Figures {
  const right = countRight(all);
  const seconds = all.map((one) => one.seconds).toSorted((a, b) => a - b);
  const byQuestion = [...Map.groupBy(all, ({ question }) => question).values()];
  const runs = Math.max(...byQuestion.map(({ length }) => length));
  const cost = all.some(({ cost_usd }) => cost_usd === null)
    ? null
    : all.reduce((sum, { cost_usd }) => sum + cost_usd!, 0);
  const perRight = (total: number | null) => (right === 0 || total === null ? null : total / right);
  const calls = all.reduce((sum, one) => sum + one.calls, 0);
  return {
    questions: byQuestion.length,
    runs,
    pass_all: Array.from({ length: runs }, (_, i) =>
      mean(byQuestion.map((one) => passAll(countRight(one), one.length, Math.min(i + 1, one.length)))),
    ),
    failed: all.filter(({ error }) => error !== undefined).length,
    accuracy: right / all.length,
    interval: accuracyInterval(byQuestion),
    calls: calls / all.length,
    grading_calls: mean(all.map(({ grading_calls }) => grading_calls)),
    cost_usd: cost,
    per_right: {
      calls: perRight(calls),
      cost_usd: perRight(cost),
      seconds: perRight(all.reduce((sum, one) => sum + one.seconds, 0)),
    },
    median_seconds: quantile(seconds, 0.5),
    p95_seconds: quantile(seconds, 0.95),
  };
}

export const countRight = (results: readonly Result[]) => results.filter(({ correct }) => correct).length;

function accuracyInterval(byQuestion: readonly (readonly Result[])[]): Interval {
  const shares = byQuestion.map((runs) => countRight(runs) / runs.length);
  // Resampled questions that are all right would always be all right.
  if (!shares.every(Number.isInteger)) return bootstrap(shares, mean);
  return wilson(shares.filter((share) => share === 1).length, shares.length);
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
