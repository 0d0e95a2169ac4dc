import type { Question } from "../questions/questions.ts";
import type { Result, Verdict } from "../run/results-file.ts";
import { countRight, type Figures, figuresOf } from "./figures.ts";
import { bootstrap, calibrationBins, calibrationError, type Interval, type Stated } from "./statistics.ts";

export interface Summary extends Figures {
  readonly method: string;
  readonly model: string;
  /** Why, the most frequent reason first. */
  readonly failures: readonly { readonly reason: string; readonly count: number }[];
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
    const of = all.some(({ confidence }) => confidence !== null) ? "confidence" : "agreement";
    const stated = all.flatMap((one): Stated[] => {
      const { [of]: confidence, leader_right } = one;
      return confidence === null || leader_right === null ? [] : [{ confidence, correct: leader_right }];
    });
    const tally = (of: (one: Result) => string | undefined) =>
      [...Map.groupBy(all, of)].flatMap(([name, group]) =>
        name === undefined ? [] : [{ name, right: countRight(group), count: group.length }],
      );
    return {
      method: all[0]!.method,
      model: all[0]!.model,
      ...figuresOf(all),
      failures: tally(({ error }) => error)
        .map(({ name, count }) => ({ reason: name, count }))
        .toSorted((a, b) => b.count - a.count),
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
