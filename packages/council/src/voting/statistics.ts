import { z } from "zod";
import { checkArgument } from "../problems.ts";

export { chanceRight, expectedVotes } from "./expected-votes.ts";

/**
 * The arithmetic of first-to-ahead-by-k voting (Meyerson et al., arXiv 2511.09030). `p` is the chance that one valid
 * vote is right; a race between the right answer and one rival is a gambler's ruin with ratio r = (1 - p) / p.
 */

/** The smallest lead that makes all of `steps` voted steps right with chance `target`. Infinity when p <= 1/2. */
export function kMin(options: { p: number; target?: number; steps?: number; stepsPerVote?: number }): number {
  checkArgument("options", options, kMinOptions);
  const { p, target = 0.99, steps = 1, stepsPerVote = 1 } = options;
  if (!(p > 0.5)) return Number.POSITIVE_INFINITY;
  if (p >= 1) return 1;
  // target^(-m/s) - 1, written so that a million steps lose no digits.
  const odds = Math.expm1((-stepsPerVote / steps) * Math.log(target));
  return Math.max(1, Math.ceil(Math.log(odds) / Math.log((1 - p) / p)));
}

const kMinOptions = z.strictObject({
  // Zero of zero is not a number; it counts as a coin toss.
  p: z.number().min(0).max(1).or(z.nan()),
  target: z.number().gt(0).lt(1).optional(),
  steps: z.number().positive().optional(),
  stepsPerVote: z.number().positive().optional(),
});

/** A bound that the true share exceeds with 95 % confidence (Wilson), from `hits` of `total`. */
export function lowerBound(hits: number, total: number): number {
  if (total === 0) return 0;
  const z = 1.6449;
  const share = hits / total;
  const centre = share + z ** 2 / (2 * total);
  const spread = z * Math.sqrt((share * (1 - share)) / total + z ** 2 / (4 * total ** 2));
  return (centre - spread) / (1 + z ** 2 / total);
}
