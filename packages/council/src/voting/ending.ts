import type { Undecided } from "../result.ts";
import type { Standing } from "./tally.ts";

/** Fewer votes that differ may be chance. */
const MIN_DISTINCT_VOTES = 5;

/** So many votes of which no two agree show an open question. */
export const distinctVotesFor = (k: number) => Math.max(MIN_DISTINCT_VOTES, k + 2);

export interface Ending {
  readonly winner?: string | null;
  readonly undecided?: Undecided;
}

/** How a vote ends with this standing; undefined: it goes on. */
export function endingOf(now: Standing, k: number): Ending | undefined {
  if (now.need === 0) return { winner: now.leader };
  if (now.leaderVotes === 1 && now.total >= distinctVotesFor(k)) return { undecided: "no_agreement" };
  return chanceOfMajority(now.leaderVotes, now.total) < MIN_MAJORITY_CHANCE
    ? { undecided: "unlikely_majority" }
    : undefined;
}

/** Chance that an answer's true share is above one half after `votes` of `total`, from a uniform prior. */
export function chanceOfMajority(votes: number, total: number): number {
  // P(Beta(votes + 1, total - votes + 1) > 1/2) equals P(Binomial(total + 1, 1/2) <= votes).
  const n = total + 1;
  let term = 2 ** -n;
  let sum = 0;
  for (let i = 0; i <= votes; i++) {
    sum += term;
    term *= (n - i) / (i + 1);
  }
  return Math.min(1, sum);
}

/** Below this chance of a majority, drawing more votes is a waste. */
const MIN_MAJORITY_CHANCE = 0.05;
