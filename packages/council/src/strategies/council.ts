import { CouncilError } from "../errors.ts";
import { nothingToShow } from "../no-result.ts";
import type { VotingSummary } from "../result.ts";
import type { Run } from "../run.ts";
import { ballotBox, clustersOf } from "../voting/clusters.ts";
import { chanceOfMajority } from "../voting/statistics.ts";
import { type Judgement, judge } from "./judge.ts";
import { holdSeats, type Proposal, type Seats } from "./proposals.ts";
import { councilReport } from "./report.ts";
import type { Answer } from "./strategy.ts";

/** Seats propose side by side, a judge compares and decides. */
export async function consultCouncil(run: Run): Promise<Answer> {
  const { seats: models, kGiven, judges } = run.settings;
  const k = kGiven ? run.settings.k : Math.min(run.settings.k, models.length);
  const errorsBefore = run.sampler.transportErrors;
  const seats = await holdSeats(run);
  requireQuorum(run, seats);

  const judged = await judge(
    run,
    seats.proposals.map(({ text }) => text),
    k,
  );
  const verdict = "error" in judged ? undefined : judged;
  const votes = await positionsOf(seats.proposals, seats.picked ? undefined : verdict?.groups);
  const voting = summarise(votes, seats, k, run.sampler.transportErrors - errorsBefore);
  const supported = seats.proposals[votes.findIndex(({ key }) => key === voting.clusters[0]!.answer)]!;
  const noVerdict = "error" in judged ? judged.error : "";
  return {
    tool: "consult_council",
    result: councilReport({
      verdict: verdict?.verdict,
      noVerdict,
      supported: supported.text,
      seats: models.length,
      voting,
    }),
    model: [...new Set(models)].join(", "),
    ...(verdict ? { judge_model: verdict.model } : {}),
    status:
      verdict && !verdict.redFlag ? "complete" : run.spending.stopped && !verdict ? "partial" : "degraded",
    warnings: [
      ...seats.empty.map(({ seat, reason }) => `Seat ${seat} brought no proposal: ${reason}.`),
      ...(noVerdict ? [`There is no verdict: ${noVerdict}.`] : []),
      ...(verdict?.redFlag ? ["The judge raised a red flag."] : []),
      ...(verdict && verdict.model !== judges[0]
        ? [`The judge ${judges[0]} failed; ${verdict.model} decided.`]
        : []),
    ],
    voting,
  };
}

/** All seats but one, never under two unless one was asked for. A spent budget shows what there is. */
function requireQuorum(run: Run, { proposals, empty, flagged }: Seats): void {
  const { stopped } = run.spending;
  const reasons = empty.map(({ reason }) => reason);
  if (proposals.length === 0 || stopped === "cancelled") throw nothingToShow(run, { flagged, reasons });
  const seats = run.settings.seats.length;
  const quorum = seats === 1 ? 1 : Math.max(2, seats - 1);
  if (stopped !== undefined || proposals.length >= quorum) return;
  const message = `Only ${proposals.length} of ${seats} seats brought a proposal, ${quorum} are needed: ${[...new Set(reasons)].join("; ")}`;
  throw new CouncilError("no_quorum", message);
}

/** Where each proposal stands: by the judge's grouping of free answers, else by what the seats called theirs. */
async function positionsOf(proposals: readonly Proposal[], groups: Judgement["groups"]) {
  // Comparing positions in other words is the judge's work; here only spellings are.
  const box = ballotBox(async () => false);
  return Promise.all(
    proposals.map(async ({ answer, picked }, i) => {
      const key =
        groups?.find((group) => group.proposals.includes(i))?.position ?? (await box.place(answer, picked));
      return { key, answer };
    }),
  );
}

function summarise(
  votes: readonly { key: string; answer: string }[],
  seats: Seats,
  k: number,
  transportErrors: number,
): VotingSummary {
  const clusters = clustersOf(votes);
  const [first, second] = clusters;
  return {
    k,
    votes: Object.fromEntries(clusters.map((cluster) => [cluster.answer, cluster.votes])),
    samples: votes.length + seats.flagged,
    red_flagged: seats.flagged,
    transport_errors: transportErrors,
    converged: first!.votes - (second?.votes ?? 0) >= k,
    confidence: chanceOfMajority(first!.votes, votes.length),
    clusters,
    hedged: 0,
    speculated: 0,
    wasted: 0,
  };
}
