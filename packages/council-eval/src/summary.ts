import { chanceRight } from "@mci-ts/council";
import { methodOf } from "./methods.ts";
import type { Result } from "./results-file.ts";

export interface Summary {
  readonly method: string;
  readonly model: string;
  readonly questions: number;
  /** Runs without an answer, counted as wrong. */
  readonly failed: number;
  readonly accuracy: number;
  /** 95 %, Wilson. */
  readonly interval: readonly [number, number];
  /** Per question, with those of the grader. */
  readonly calls: number;
  /** Per question, of the calls above. */
  readonly grading_calls: number;
  /** The cost of all questions; null when the cost of any is unknown. */
  readonly cost_usd: number | null;
  readonly median_seconds: number;
  readonly p95_seconds: number;
  /** Stated confidence against the share that was right, in bins. */
  readonly calibration: readonly {
    readonly confidence: number;
    readonly accuracy: number;
    readonly count: number;
  }[];
}

/** By method, then model, in the order they were asked for. */
export function summarise(results: readonly Result[]): readonly Summary[] {
  const groups = Map.groupBy(results, ({ method, model }) => JSON.stringify([method, model]));
  return [...groups.values()].map((all) => {
    const right = all.filter(({ correct }) => correct).length;
    const seconds = all.map((one) => one.seconds).toSorted((a, b) => a - b);
    const mean = (of: (one: Result) => number) => all.reduce((sum, one) => sum + of(one), 0) / all.length;
    return {
      method: all[0]!.method,
      model: all[0]!.model,
      questions: all.length,
      failed: all.filter(({ error }) => error !== undefined).length,
      accuracy: right / all.length,
      interval: wilson(right, all.length),
      calls: mean(({ calls }) => calls),
      grading_calls: mean(({ grading_calls }) => grading_calls),
      cost_usd: all.some(({ cost_usd }) => cost_usd === null)
        ? null
        : all.reduce((sum, { cost_usd }) => sum + cost_usd!, 0),
      median_seconds: quantile(seconds, 0.5),
      p95_seconds: quantile(seconds, 0.95),
      calibration: calibration(all),
    };
  });
}

/** What votes say about a model, and what theory makes of it. */
export interface Theory {
  readonly model: string;
  /** The chance that one valid vote is right: the share of right votes in all votes. */
  readonly p: number;
  readonly interval: readonly [number, number];
  readonly votes: number;
  /** Share of wrong decisions, measured and by 1 - 1 / (1 + r^k). */
  readonly errors: readonly { readonly k: number; readonly measured: number; readonly theory: number }[];
}

/** For models whose votes can be compared with a known answer. */
export function theoryOf(results: readonly Result[]): readonly Theory[] {
  const voted = results.filter(({ method, right_votes }) => methodOf(method)?.k && right_votes !== null);
  const byModel = Map.groupBy(voted, ({ model }) => model);
  return [...byModel].flatMap(([model, all]) => {
    const right = all.reduce((sum, { right_votes }) => sum + right_votes!, 0);
    const votes = all.reduce(
      (sum, one) => sum + Object.values(one.votes).reduce((count, more) => count + more, 0),
      0,
    );
    if (votes === 0) return [];
    const p = right / votes;
    const errors = [...Map.groupBy(all, ({ method }) => methodOf(method)!.k!)]
      .toSorted(([a], [b]) => a - b)
      .map(([k, decided]) => ({
        k,
        measured: decided.filter(({ correct }) => !correct).length / decided.length,
        theory: 1 - chanceRight(p, k),
      }));
    return [{ model, p, interval: wilson(right, votes), votes, errors }];
  });
}

/** The 95 % interval of a share; stays within 0 and 1, also for few questions. */
export function wilson(right: number, total: number): readonly [number, number] {
  const z = 1.96;
  const p = right / total;
  const centre = (p + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half = (z * Math.sqrt((p * (1 - p)) / total + (z * z) / (4 * total * total))) / (1 + (z * z) / total);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;

const BINS = 10;

function calibration(results: readonly Result[]): Summary["calibration"] {
  const stated = results.filter(({ confidence }) => confidence !== null);
  const bins = Map.groupBy(stated, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence! * BINS)));
  return [...bins]
    .toSorted(([a], [b]) => a - b)
    .map(([, all]) => ({
      confidence: all.reduce((sum, { confidence }) => sum + confidence!, 0) / all.length,
      accuracy: all.filter(({ correct }) => correct).length / all.length,
      count: all.length,
    }));
}
