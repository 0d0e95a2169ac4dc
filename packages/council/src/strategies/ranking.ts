import { rankingSchema } from "../prompts/answer-schemas.ts";
import { rankPrompt } from "../prompts/prompts.ts";
import type { PeerRanking } from "../result.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { shuffled } from "../shuffled.ts";
import { label } from "./anonymous.ts";

/** A proposal, and who made it. */
interface Ranked {
  readonly seat: number;
  readonly model: string;
  readonly text: string;
}

/** With fewer, every seat would rank one proposal: no order at all. */
export const MIN_RANKED = 3;
const MAX_ATTEMPTS = 2;
/** The part of the time until the deadline that rankings have: a verdict does not wait for them until nothing is left. */
const TIME_SHARE = 0.8;

/** Every seat orders the others' proposals, which are anonymous; a Borda count adds the orders up. */
export async function rankProposals(
  run: Run,
  proposals: readonly Ranked[],
): Promise<Pick<PeerRanking, "rankings" | "scores"> & { readonly failed: readonly string[] }> {
  const late = run.budget.afterShare(TIME_SHARE);
  const replies = await Promise.all(proposals.map((ranker) => askRanker(run, ranker, proposals, late)));
  const rankings = replies.flatMap((one) => ("order" in one ? [one] : []));
  return {
    rankings,
    scores: bordaScores(
      proposals.map(({ seat }) => seat),
      rankings,
    ),
    failed: replies.flatMap((one) =>
      "reason" in one ? [`Seat ${one.seat} ranked nothing: ${one.reason}.`] : [],
    ),
  };
}

/** The first of n places is worth n - 1 points, the last none. `share`: of the points a seat could have got. */
export function bordaScores(
  seats: readonly number[],
  rankings: readonly { readonly seat: number; readonly order: readonly number[] }[],
): PeerRanking["scores"] {
  return seats
    .map((seat) => {
      const places = rankings.filter(({ order }) => order.includes(seat));
      const sum = (value: (order: readonly number[]) => number) =>
        places.reduce((total, { order }) => total + value(order), 0);
      const points = sum((order) => order.length - 1 - order.indexOf(seat));
      const most = sum((order) => order.length - 1);
      return { seat, points, share: most === 0 ? 0 : points / most };
    })
    .toSorted((a, b) => b.share - a.share);
}

async function askRanker(
  run: Run,
  { seat, model }: Ranked,
  proposals: readonly Ranked[],
  late: AbortSignal,
): Promise<{ seat: number; order: readonly number[] } | { seat: number; reason: string }> {
  const others = proposals.filter((other) => other.seat !== seat);
  const ballot = shuffled(others.length, run.random).map((index, place) => ({
    label: label(place),
    ...others[index]!,
  }));
  const schema = rankingSchema(ballot.map(({ label }) => label));
  const messages = rankPrompt(run.question, ballot);
  let reason = "the run was stopped";
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const request = { purpose: "rank", model, messages, schema, temperature: attempt * 0.1 } as const;
    const sampled = await sample(run, request, late);
    if (sampled.kind === "sample") {
      const order = sampled.value.ranking.map((letter) => ballot.find(({ label }) => label === letter)!.seat);
      run.emit({ type: "seat.ranked", seat, order });
      return { seat, order };
    }
    if (sampled.kind !== "stopped") reason = sampled.reason;
    if (sampled.kind !== "flagged") break;
  }
  if (late.aborted && run.budget.stopped === undefined)
    reason = "it had not answered when the time for rankings was over";
  return { seat, reason };
}
