import { endingOf } from "./ending.ts";
import { countVote, newTally, type Standing, standing } from "./tally.ts";

/**
 * Decides recorded votes again under other settings, at no cost, with the tally that decided them. It imports nothing that a web page
 * could not have: the console has it, too.
 */

/** One vote as it was counted. */
export interface RecordedVote {
  readonly call: number;
  /** Equal for votes that count as one. */
  readonly key: string;
  readonly model: string;
  /** The seat of a council that it came from. */
  readonly seat?: number;
}

/** `ahead`: the first to be k ahead, as votes are decided. `first`: the first with k votes. `majority`: most of the first k votes. */
export interface StoppingRule {
  readonly kind: "ahead" | "first" | "majority";
  readonly k: number;
}

export interface Redecision {
  /** null: undecided. */
  readonly winner: string | null;
  /** `votes_exhausted`: a real run would have asked for more. */
  readonly undecided?: string;
  /** Votes that were needed, or all. */
  readonly used: number;
  /** Votes that are missing at least; 0 where more would not help. */
  readonly need: number;
  /** Most votes first. */
  readonly lanes: readonly { readonly key: string; readonly votes: number }[];
}

export function decideAgain(votes: readonly RecordedVote[], { kind, k }: StoppingRule): Redecision {
  let tally = newTally(k);
  for (const [index, { key }] of votes.entries()) {
    tally = countVote(tally, key);
    const used = index + 1;
    const ending = endOf(kind, standing(tally), used, k);
    if (!ending) continue;
    const { winner = null, undecided } = ending;
    return {
      winner,
      ...(undecided === undefined ? {} : { undecided }),
      used,
      need: 0,
      lanes: lanesOf(tally),
    };
  }
  const now = standing(tally);
  const need = kind === "ahead" ? now.need : kind === "first" ? k - now.leaderVotes : k - now.total;
  return { winner: null, undecided: "votes_exhausted", used: votes.length, need, lanes: lanesOf(tally) };
}

function endOf(
  kind: StoppingRule["kind"],
  now: Standing,
  used: number,
  k: number,
): { winner?: string | null; undecided?: string } | undefined {
  if (kind === "ahead") return endingOf(now, k);
  if (kind === "first") return now.leaderVotes >= k ? { winner: now.leader } : undefined;
  if (used < k) return undefined;
  return now.leaderVotes > now.runnerUpVotes ? { winner: now.leader } : { undecided: "tie" };
}

const lanesOf = ({ counts }: { readonly counts: ReadonlyMap<string, number> }) =>
  [...counts].map(([key, votes]) => ({ key, votes })).toSorted((a, b) => b.votes - a.votes);
