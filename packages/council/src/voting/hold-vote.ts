import type { CouncilMetadata, Undecided, VotingSummary } from "../result.ts";
import type { Run } from "../run.ts";
import type { OutcomeBasis } from "./calibration.ts";
import { countClusters } from "./clusters.ts";
import { trustIn } from "./confidence.ts";
import { type Arrival, voteLoop } from "./loop.ts";
import { standing } from "./tally.ts";

/** One vote: what it is counted as, how it is shown, and what it stands for. */
export interface Vote<T> {
  readonly call: number;
  /** Equal for votes that count as one. */
  readonly key: string;
  readonly answer: string;
  readonly value: T;
}

/** How one call ended. `reason`: why it brought no vote. */
type Draw<T> =
  | { readonly kind: "vote"; readonly vote: Vote<T> }
  | { readonly kind: "flagged"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string; readonly fatal: boolean }
  | { readonly kind: "stopped" };

export interface HoldVoteOptions<T> {
  /** What may be voted for, where that is known before. */
  readonly choices: readonly string[];
  /** Votes that any leader may need. Default: the k of the run's settings. */
  readonly k?: number;
  /** Votes that this leader needs. Default: `k`. */
  readonly kOf?: (leader: string | null) => number;
  /** What outcomes of such votes are collected under. Default: none are. */
  readonly basisOf?: (leader: string | null) => OutcomeBasis;
  readonly draw: (index: number, signal: AbortSignal) => Promise<Draw<T>>;
  /** What the event of a decision says. Default: the winner's wording. */
  readonly answerOf?: (elected: readonly Vote<T>[]) => CouncilMetadata["answer"];
}

export interface HeldVote<T> {
  /** In its most frequent wording; null: undecided. */
  readonly winner: string | null;
  /** The answer with most votes, won or not; null when no vote was valid. */
  readonly leader: string | null;
  /** The votes for the winner; none where there is none. */
  readonly elected: readonly Vote<T>[];
  /** In the order in which they were counted. */
  readonly counted: readonly Vote<T>[];
  readonly undecided: Undecided | undefined;
  readonly answer: CouncilMetadata["answer"];
  readonly summary: VotingSummary;
  /** Why calls brought no vote. */
  readonly reasons: readonly string[];
}

/** First-to-ahead-by-k over whatever `draw` brings, with its events and its summary. */
export async function holdVote<T>(
  run: Run,
  { choices, k = run.settings.k, kOf, basisOf, draw, answerOf }: HoldVoteOptions<T>,
): Promise<HeldVote<T>> {
  const { hedge, speculation } = run.settings;
  const maxSamples = Math.max(run.settings.maxSamples, k);
  const votes = new Map<number, Vote<T>>();
  const counted: Vote<T>[] = [];
  const reasons: string[] = [];
  const errorsBefore = run.client.transportErrors;
  run.emit({ type: "vote.started", k, options: choices });

  const outcome = await voteLoop({
    k,
    ...(kOf ? { kOf } : {}),
    maxSamples,
    hedge,
    speculation,
    clock: run.clock,
    async sample(index, signal): Promise<Arrival> {
      const drawn = await draw(index, signal);
      if (drawn.kind === "vote") {
        votes.set(index, drawn.vote);
        return { kind: "vote", key: drawn.vote.key };
      }
      if (drawn.kind !== "stopped") reasons.push(drawn.reason);
      return drawn;
    },
    onExtra: (kind) => run.emit({ type: "vote.extra", kind }),
    onCounted(now, index) {
      const vote = votes.get(index)!;
      counted.push(vote);
      const { leader, leaderVotes, runnerUpVotes, need } = now;
      run.emit({
        type: "vote.counted",
        call: vote.call,
        answer: vote.key,
        leader: leader!,
        leader_votes: leaderVotes,
        runner_up_votes: runnerUpVotes,
        need,
      });
    },
  });

  const { tally, undecided, samples, flagged, hedged, speculated, wasted } = outcome;
  const { leader: leaderKey, leaderVotes, total } = standing(tally);
  const clusters = countClusters(counted);
  // During the vote a cluster goes by its first wording; it is shown in its most frequent one.
  const wordingOf = (key: string | null) => clusters.find((cluster) => cluster.key === key)?.answer ?? null;
  const leader = wordingOf(leaderKey);
  const winner = wordingOf(outcome.winner);
  const elected = counted.filter(({ key }) => key === outcome.winner);
  const trust = trustIn(run, leaderVotes, total, basisOf?.(leader));
  const answer = winner !== null && answerOf ? answerOf(elected) : winner;
  if (winner !== null) {
    const { agreement, confidence } = trust;
    const sure = confidence === undefined ? {} : { confidence };
    run.emit({ type: "vote.decided", winner, answer, votes: leaderVotes, agreement, ...sure });
  } else run.emit({ type: "vote.undecided", reason: undecided!, leader });
  return {
    winner,
    leader,
    elected,
    counted,
    undecided,
    answer,
    reasons,
    summary: {
      k: kOf && leaderKey !== null ? kOf(leaderKey) : k,
      votes: Object.fromEntries(clusters.map((cluster) => [cluster.answer, cluster.votes])),
      samples,
      red_flagged: flagged,
      transport_errors: run.client.transportErrors - errorsBefore,
      converged: winner !== null,
      ...trust,
      ...(undecided === undefined ? {} : { undecided }),
      clusters: clusters.map(({ key: _, ...cluster }) => cluster),
      hedged,
      speculated,
      wasted,
    },
  };
}
