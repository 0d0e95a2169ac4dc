import type { GradedVotes } from "../../packages/council/src/voting/dependence.ts";
import { bootstrap, type Interval, mean } from "../../packages/council-eval/src/statistics/statistics.ts";

/** The samples of one question: those of one source, and those of another one. */
export type SamplePair = readonly [GradedVotes, GradedVotes];

/**
 * How far one sample's being right goes with the other's, over questions: 0 where they have nothing to do with each other, 1 where both
 * are right on the same questions. Unlike the dependence of mixed votes it does not fall because one source is better than the other.
 * Undefined where a source is always right or always wrong.
 */
export function correlationBetween(pairs: readonly SamplePair[]): number | undefined {
  const answered = pairs.filter(([one, other]) => one.votes > 0 && other.votes > 0);
  const [first, second] = [
    mean(answered.map(([one]) => share(one))),
    mean(answered.map(([, one]) => share(one))),
  ];
  const both = mean(answered.map(([one, other]) => share(one) * share(other)));
  return correlation(both, first, second);
}

/** The most that it can be between sources which are right so often: one that is much better is right where the other is wrong. */
export function highestCorrelation(pairs: readonly SamplePair[]): number | undefined {
  const [low, high] = [0, 1].map((i) => mean(pairs.map((pair) => share(pair[i]!)))).sort((a, b) => a - b) as [
    number,
    number,
  ];
  return correlation(low, low, high);
}

/** The same of two different samples of one source. */
export function correlationWithin(samples: readonly GradedVotes[]): number | undefined {
  const several = samples.filter(({ votes }) => votes > 1);
  const p = mean(several.map(share));
  const both = mean(several.map(({ votes, right }) => (right * (right - 1)) / (votes * (votes - 1))));
  return correlation(both, p, p);
}

/** Its 95 % interval by bootstrap over the questions. */
export function intervalOf<T>(
  questions: readonly T[],
  figure: (questions: readonly T[]) => number | undefined,
): Interval {
  // A resample without a wrong answer has no correlation; it counts as one that shows none.
  return bootstrap(questions, (sample) => figure(sample) ?? 0);
}

const share = ({ votes, right }: GradedVotes) => right / votes;

function correlation(both: number, first: number, second: number): number | undefined {
  const spread = Math.sqrt(first * (1 - first) * second * (1 - second));
  return spread > 0 ? (both - first * second) / spread : undefined;
}
