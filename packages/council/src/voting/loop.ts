import type { Clock } from "../clock.ts";
import type { Undecided } from "../result.ts";
import { distinctVotesFor, type Ending, endingOf } from "./ending.ts";
import { countVote, newTally, type Standing, standing, type Tally } from "./tally.ts";

/** How one call ended. */
export type Arrival =
  | { readonly kind: "vote"; readonly key: string }
  | { readonly kind: "flagged" }
  /** `fatal`: no further call can succeed. */
  | { readonly kind: "failed"; readonly fatal: boolean }
  /** The budget is spent or the run was cancelled. */
  | { readonly kind: "stopped" };

export interface VoteLoopOptions {
  readonly k: number;
  /** Votes that this leader must be ahead by; null: before the first vote. At most `k`. Default: `k` for all. */
  readonly kOf?: (leader: string | null) => number;
  /** Most replies to collect. */
  readonly maxSamples: number;
  /** Extra calls in flight beyond those needed. */
  readonly speculation: number;
  /** One extra call for each that is older than 2.5 times the median. */
  readonly hedge: boolean;
  readonly clock: Clock;
  /** Makes call number `index` (from 0); gives up when the signal aborts. What it throws ends the vote. */
  readonly sample: (index: number, signal: AbortSignal) => Promise<Arrival>;
  readonly onExtra?: (kind: "hedge" | "speculation") => void;
  readonly onCounted?: (standing: Standing, index: number) => void;
}

export interface VoteLoopResult {
  readonly tally: Tally;
  readonly winner: string | null;
  readonly undecided?: Undecided;
  readonly samples: number;
  readonly flagged: number;
  readonly failed: number;
  readonly hedged: number;
  readonly speculated: number;
  /** Calls in flight when the vote ended. */
  readonly wasted: number;
}

const HEDGE_AFTER_MEDIANS = 2.5;
/** Replies without a vote that are allowed, besides k. */
const REPLIES_WITHOUT_VOTE = 3;
/** Created once: every vote ends, and each new error would capture a stack. */
const ENDED = new DOMException("The vote has ended", "AbortError");

/**
 * Runs calls side by side until one answer leads by k. In flight are always exactly as many calls as votes are still
 * needed: the deciding vote can then only be the last one in flight, so none is wasted, and the number of calls is
 * that of drawing one after the other.
 */
export function voteLoop(options: VoteLoopOptions): Promise<VoteLoopResult> {
  const { k, kOf, maxSamples, speculation, hedge, clock, sample } = options;
  const ended = new AbortController();
  const inFlight = new Map<number, { startedAt: number; hedged: boolean }>();
  const latencies: number[] = [];
  const distinctVotes = distinctVotesFor(k);
  let tally = newTally(k);
  let started = 0;
  let spent = false;
  let timer: AbortController | undefined;
  const seen = { samples: 0, flagged: 0, failed: 0, hedged: 0, speculated: 0 };

  return new Promise((resolve, reject) => {
    topUp();

    function topUp(): void {
      const { need } = current();
      const left = maxSamples - seen.samples - inFlight.size;
      // What is in flight is still counted, but when it cannot decide any more, nothing is added to it.
      const undecidable = need > inFlight.size + left;
      const target = spent || undecidable ? 0 : need + speculation;
      while (inFlight.size < target && seen.samples + inFlight.size < sampleCap()) {
        if (inFlight.size >= need) extra("speculation");
        launch();
      }
      if (inFlight.size === 0)
        end({ undecided: spent ? "budget" : hasVotes() ? "sample_cap" : "no_valid_votes" });
      else watchStragglers();
    }

    /** Calls stop early where a model gives no valid vote at all, or where no two votes agree; more of the same would not help. */
    function sampleCap(): number {
      const { leaderVotes } = current();
      if (leaderVotes > 1) return maxSamples;
      return Math.min(
        maxSamples,
        leaderVotes === 0 ? k + REPLIES_WITHOUT_VOTE : seen.flagged + distinctVotes,
      );
    }

    function current(): Standing {
      const now = standing(tally);
      return kOf ? standing({ ...tally, k: kOf(now.leader) }) : now;
    }

    function hasVotes(): boolean {
      return tally.counts.size > 0;
    }

    function launch(): void {
      const index = started++;
      inFlight.set(index, { startedAt: clock.elapsed(), hedged: false });
      sample(index, ended.signal).then((arrival) => arrive(index, arrival), fail);
    }

    function arrive(index: number, arrival: Arrival): void {
      const call = inFlight.get(index);
      if (ended.signal.aborted || call === undefined) return;
      inFlight.delete(index);
      const outcome = count(index, arrival, clock.elapsed() - call.startedAt);
      if (outcome === undefined) topUp();
      else end(outcome);
    }

    /** How the vote ends with this arrival, if it does. */
    function count(index: number, arrival: Arrival, latency: number): Ending | undefined {
      if (arrival.kind === "stopped") {
        // No further call is made; replies to calls in flight may still arrive.
        spent = true;
        return undefined;
      }
      if (arrival.kind === "failed") {
        seen.failed++;
        return arrival.fatal ? { undecided: "transport" } : undefined;
      }
      seen.samples++;
      latencies.push(latency);
      if (arrival.kind === "flagged") {
        seen.flagged++;
        return undefined;
      }
      tally = countVote(tally, arrival.key);
      const now = current();
      options.onCounted?.(now, index);
      return endingOf(now, k);
    }

    function watchStragglers(): void {
      timer?.abort();
      if (!hedge || latencies.length === 0) return;
      const hedgeAfter = HEDGE_AFTER_MEDIANS * median(latencies);
      const [oldest] = [...inFlight.values()].filter((call) => !call.hedged);
      if (oldest === undefined) return;
      timer = new AbortController();
      const wait = Math.max(0, oldest.startedAt + hedgeAfter - clock.elapsed());
      clock.sleep(wait, timer.signal).then(
        () => {
          if (ended.signal.aborted || spent || seen.samples + inFlight.size >= sampleCap()) return;
          oldest.hedged = true;
          extra("hedge");
          launch();
          watchStragglers();
        },
        () => {}, // Something arrived first; a new watch has begun.
      );
    }

    function extra(kind: "hedge" | "speculation"): void {
      seen[kind === "hedge" ? "hedged" : "speculated"]++;
      options.onExtra?.(kind);
    }

    /** A defect in our code, not an outcome: stop at once. */
    function fail(error: unknown): void {
      ended.abort();
      timer?.abort();
      reject(error);
    }

    function end({ winner = null, undecided }: Ending): void {
      ended.abort(ENDED);
      timer?.abort(ENDED);
      resolve({ tally, winner, undecided, ...seen, wasted: inFlight.size });
    }
  });
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
