import { chanceRight } from "@mci-ts/council";
import { wilson } from "@mci-ts/primitives/wilson";
import type { Methods } from "./methods.ts";
import type { Question } from "./questions.ts";
import type { Result, Verdict } from "./results-file.ts";
import {
  bootstrap,
  calibrationBins,
  calibrationError,
  type Interval,
  mean,
  passAll,
  type Stated,
} from "./statistics.ts";

export interface Summary {
  readonly method: string;
  readonly model: string;
  readonly questions: number;
  /** How often each question was asked. */
  readonly runs: number;
  /** pass^1, pass^2, …: the chance that so many runs of a question are all right. */
  readonly pass_all: readonly number[];
  /** Runs without an answer, counted as wrong. */
  readonly failed: number;
  /** Why, the most frequent reason first. */
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
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
  /** Stated confidence, or agreement where none is stated, against the share that was right, in bins. */
  readonly calibration: readonly {
    readonly confidence: number;
    readonly accuracy: number;
    readonly count: number;
  }[];
  /** The expected calibration error and its 95 % interval (bootstrap); null without votes whose leader is known to be right or wrong. */
  readonly calibration_error: {
    /** What is compared with the truth. Agreement does not claim to be a chance: its error says how far it is from one. */
    readonly of: "confidence" | "agreement";
    readonly value: number;
    readonly interval: Interval;
    readonly count: number;
  } | null;
  /** How often an answer was right, by what the run said about it. */
  readonly verdicts: readonly { readonly verdict: Verdict; readonly right: number; readonly count: number }[];
  /** By the kind of the questions, where they name one. */
  readonly kinds: readonly { readonly kind: string; readonly right: number; readonly count: number }[];
}

/** By method, then model, in the order they were asked for. */
export function summarise(
  results: readonly Result[],
  questions: readonly Pick<Question, "id" | "kind">[] = [],
): readonly Summary[] {
  const kinds = new Map(questions.map(({ id, kind }) => [id, kind]));
  const groups = Map.groupBy(results, ({ method, model }) => JSON.stringify([method, model]));
  return [...groups.values()].map((all) => {
    const right = countRight(all);
    const seconds = all.map((one) => one.seconds).toSorted((a, b) => a - b);
    const byQuestion = [...Map.groupBy(all, ({ question }) => question).values()];
    const runs = Math.max(...byQuestion.map(({ length }) => length));
    const of = all.some(({ confidence }) => confidence !== null) ? "confidence" : "agreement";
    const stated = all.flatMap((one): Stated[] => {
      const { [of]: confidence, leader_right } = one;
      return confidence === null || leader_right === null ? [] : [{ confidence, correct: leader_right }];
    });
    const cost = all.some(({ cost_usd }) => cost_usd === null)
      ? null
      : all.reduce((sum, { cost_usd }) => sum + cost_usd!, 0);
    const perRight = (total: number | null) => (right === 0 || total === null ? null : total / right);
    const calls = all.reduce((sum, one) => sum + one.calls, 0);
    const tally = (of: (one: Result) => string | undefined) =>
      [...Map.groupBy(all, of)].flatMap(([name, group]) =>
        name === undefined ? [] : [{ name, right: countRight(group), count: group.length }],
      );
    return {
      method: all[0]!.method,
      model: all[0]!.model,
      questions: byQuestion.length,
      runs,
      pass_all: Array.from({ length: runs }, (_, i) =>
        mean(byQuestion.map((one) => passAll(countRight(one), one.length, Math.min(i + 1, one.length)))),
      ),
      failed: all.filter(({ error }) => error !== undefined).length,
      failures: tally(({ error }) => error)
        .map(({ name, count }) => ({ reason: name, count }))
        .toSorted((a, b) => b.count - a.count),
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
      calibration: calibrationBins(stated),
      calibration_error:
        stated.length === 0
          ? null
          : {
              of,
              value: calibrationError(stated),
              interval: bootstrap(stated, calibrationError),
              count: stated.length,
            },
      verdicts: tally(({ verdict }) => verdict).map(({ name, ...rest }) => ({
        verdict: name as Verdict,
        ...rest,
      })),
      kinds: tally(({ question }) => kinds.get(question)).map(({ name, ...rest }) => ({
        kind: name,
        ...rest,
      })),
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
export function theoryOf(results: readonly Result[], methods: Methods): readonly Theory[] {
  const voted = results.filter(({ method, right_votes }) => methods.get(method)?.k && right_votes !== null);
  const byModel = Map.groupBy(voted, ({ model }) => model);
  return [...byModel].flatMap(([model, all]) => {
    const right = all.reduce((sum, { right_votes }) => sum + right_votes!, 0);
    const votes = all.reduce(
      (sum, one) => sum + Object.values(one.votes).reduce((count, more) => count + more, 0),
      0,
    );
    if (votes === 0) return [];
    const p = right / votes;
    const errors = [...Map.groupBy(all, ({ method }) => methods.get(method)!.k!)]
      .toSorted(([a], [b]) => a - b)
      .map(([k, decided]) => ({
        k,
        measured: decided.filter(({ correct }) => !correct).length / decided.length,
        theory: 1 - chanceRight(p, k),
      }));
    return [{ model, p, interval: wilson(right, votes), votes, errors }];
  });
}

function accuracyInterval(byQuestion: readonly (readonly Result[])[]): Interval {
  const shares = byQuestion.map((runs) => countRight(runs) / runs.length);
  // Resampled questions that are all right would always be all right.
  if (!shares.every(Number.isInteger)) return bootstrap(shares, mean);
  return wilson(shares.filter((share) => share === 1).length, shares.length);
}

const countRight = (results: readonly Result[]) => results.filter(({ correct }) => correct).length;

const quantile = (sorted: readonly number[], share: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!;
