import { CouncilError } from "../errors.ts";
import { noResultError } from "../no-result.ts";
import type { VotingSummary } from "../result.ts";
import type { Run } from "../run.ts";
import { countClusters, createClusters } from "../voting/clusters.ts";
import { chanceOfMajority } from "../voting/statistics.ts";
import { type Judgement, judge } from "./judge.ts";
import { collectProposals, type Proposal, type Seats } from "./proposals.ts";
import { councilReport } from "./report.ts";
import type { Answer, Strategy } from "./strategy.ts";

export const council = {
  name: "council",
  tool: "consult_council",
  intents: ["decision", "code_review"],
  description:
    "For decisions, reviews and open questions: several independent proposals, then a judge's decision with the dissent.",
  suits: "asks for a decision, a review, an analysis or anything else",
  input: { prompt: "query", config: ["num_voters", "k"] },
  run: consultCouncil,
} as const satisfies Strategy;

/** Seats propose in parallel, a judge compares and decides. */
export async function consultCouncil(run: Run): Promise<Answer> {
  const { seats: models, kRequested, judges } = run.settings;
  const k = kRequested ? run.settings.k : Math.min(run.settings.k, models.length);
  const errorsBefore = run.client.transportErrors;
  const seats = await collectProposals(run);
  requireQuorum(run, seats);

  const judged = await judge(
    run,
    seats.proposals.map(({ text }) => text),
    k,
  );
  const verdict = "error" in judged ? undefined : judged;
  const votes = await positionsOf(seats.proposals, seats.picked ? undefined : verdict?.groups);
  const voting = summarise(votes, seats, k, run.client.transportErrors - errorsBefore);
  const supported = seats.proposals[votes.findIndex(({ key }) => key === voting.clusters[0]!.answer)]!;
  const judgeError = "error" in judged ? judged.error : "";
  return {
    tool: council.tool,
    result: councilReport({
      verdict: verdict?.verdict,
      judgeError,
      supported: supported.text,
      seats: models.length,
      voting,
    }),
    model: [...new Set(models)].join(", "),
    ...(verdict ? { judge_model: verdict.model } : {}),
    status:
      verdict && !verdict.redFlag ? "complete" : run.budget.stopped && !verdict ? "partial" : "degraded",
    warnings: [
      ...seats.empty.map(({ seat, reason }) => `Seat ${seat} brought no proposal: ${reason}.`),
      ...(judgeError ? [`There is no verdict: ${judgeError}.`] : []),
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
  const { stopped } = run.budget;
  const reasons = empty.map(({ reason }) => reason);
  if (proposals.length === 0 || stopped === "cancelled") throw noResultError(run, { flagged, reasons });
  const seats = run.settings.seats.length;
  const quorum = seats === 1 ? 1 : Math.max(2, seats - 1);
  if (stopped !== undefined || proposals.length >= quorum) return;
  const message = `Only ${proposals.length} of ${seats} seats brought a proposal, ${quorum} are needed: ${[...new Set(reasons)].join("; ")}`;
  throw new CouncilError("no_quorum", message);
}

/** Where each proposal stands: by the judge's grouping of free answers, else by what the seats called theirs. */
async function positionsOf(proposals: readonly Proposal[], groups: Judgement["groups"]) {
  // Comparing positions in other words is the judge's work; here only spellings are.
  const box = createClusters(async () => false);
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
  const clusters = countClusters(votes);
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
