/** Valid votes so far. A value: counting a vote makes a new tally. */
export interface Tally {
  /** Votes the winner must be ahead by. */
  readonly k: number;
  readonly counts: ReadonlyMap<string, number>;
}

/** Where a vote stands. */
export interface Standing {
  /** The answer with most votes; the one that got there first when tied; null before the first vote. */
  readonly leader: string | null;
  readonly leaderVotes: number;
  readonly runnerUpVotes: number;
  readonly total: number;
  /** Votes still missing if all of them went to the leader. 0: the leader has won. */
  readonly need: number;
}

export function newTally(k: number): Tally {
  return { k, counts: new Map() };
}

/** First-to-ahead-by-k, one vote at a time. */
export function countVote(tally: Tally, key: string): Tally {
  return { ...tally, counts: new Map(tally.counts).set(key, (tally.counts.get(key) ?? 0) + 1) };
}

export function standing({ k, counts }: Tally): Standing {
  let leader: string | null = null;
  let leaderVotes = 0;
  let runnerUpVotes = 0;
  let total = 0;
  for (const [key, votes] of counts) {
    total += votes;
    if (votes > leaderVotes) {
      runnerUpVotes = leaderVotes;
      leaderVotes = votes;
      leader = key;
    } else if (votes > runnerUpVotes) {
      runnerUpVotes = votes;
    }
  }
  return { leader, leaderVotes, runnerUpVotes, total, need: Math.max(0, k - (leaderVotes - runnerUpVotes)) };
}
