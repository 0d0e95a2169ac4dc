import { CouncilError } from "../errors.ts";
import { noResultError, withCounts } from "../no-result.ts";
import { type AnswerForm, type ReadAnswer, readAnswer } from "../prompts/answer-schemas.ts";
import type { CouncilMetadata, CouncilSummary, PeerRanking, VotingSummary } from "../result.ts";
import { answerForm, type Run } from "../run.ts";
import { placeholder } from "../simulated/placeholder.ts";
import { drawAnswer, quoteOf, SIMULATED_NOTE } from "../simulated/request.ts";
import { countClusters, createClusters } from "../voting/clusters.ts";
import { kindOfAnswer, trustIn } from "../voting/confidence.ts";
import { sameMeaning } from "../voting/equivalence.ts";
import { answersToChooseFrom, areDifferent, decisionOf, undisputed } from "./countable.ts";
import { judge } from "./judge.ts";
import { collectProposals, type Proposal, type Seat } from "./proposals.ts";
import { MIN_RANKED, rankProposals } from "./ranking.ts";
import { councilReport } from "./report.ts";
import { isShortOfTime } from "./short-of-time.ts";
import type { Answer, Strategy } from "./strategy.ts";

export const council = {
  name: "council",
  tool: "consult_council",
  label: "Council",
  intents: { decision: "Council with a judge", code_review: "Council: code review" },
  description:
    "For decisions, reviews and open questions: several independent proposals, then a judge's decision with the dissent.",
  suits: "asks for a decision, a review, an analysis or anything else",
  input: { aliases: ["query"], config: ["num_voters", "k", "answer_schema"] },
  ignores: ["max_samples", "hedge", "speculation", "escalate", "vary", "cheap_first", "allow_unknown"],
  measuresAgreement: false,
  simulated: {
    seat: (request) => {
      const drawn = drawAnswer(request);
      return {
        proposal: `_${SIMULATED_NOTE}_\n\n${typeof drawn.answer === "string" ? `Drawn by lot: **${drawn.answer}**.` : "The answer holds placeholders."} A real seat would give its reasons here, what speaks against them, and when to choose otherwise.`,
        ...drawn,
      };
    },
    judge: ({ prompt, labels, drawn, answerSchema }) => ({
      consensus: [`All ${labels.length} proposals are simulated.`],
      contradictions: [],
      gaps: ["Everything that takes knowledge of the matter."],
      dissent: [],
      decision: `_${SIMULATED_NOTE}_\n\n${answerSchema ? "The answer holds placeholders." : `Drawn by lot: **${drawn}**.`} A real judge would weigh ${labels.length} proposals on "${quoteOf(prompt)}" here.`,
      answer: answerSchema ? placeholder(answerSchema) : drawn,
    }),
    rank: ({ labels }) => ({ rationale: SIMULATED_NOTE, ranking: labels }),
  },
  run: consultCouncil,
} as const satisfies Strategy;

/** Seats propose in parallel, a judge compares and decides. */
export async function consultCouncil(run: Run): Promise<Answer> {
  const { seats: models, kRequested, judges } = run.settings;
  const k = kRequested ? run.settings.k : Math.min(run.settings.k, models.length);
  const errorsBefore = run.client.transportErrors;
  const form = answerForm(run, run.question);
  const { seats, timeUp } = await collectProposals(run, form);
  const proposals = seats.flatMap(({ proposal }) => proposal ?? []);
  requireQuorum(run, seats, proposals, timeUp);
  const answers = answersToChooseFrom(run.direct, proposals, form, run.question.prompt);

  // The judge's call is started first, so that counting the seats' answers never takes the last call of a budget from it.
  const texts = proposals.map(({ text }) => text);
  const judging = judge(run, texts, form, {
    k,
    answers,
    contested: areDifferent(proposals, run.question.prompt),
  });
  // It is better left alone with the server then: what is asked beside it, rankings and whether answers mean the same, would slow it
  // down, and a run is started for its verdict.
  if (isShortOfTime(run, judges[0] ?? "")) await judging;
  const late = run.budget.afterShare(BESIDE_TIME_SHARE);
  const [judged, { votes, keyOf }, peers] = await Promise.all([
    judging,
    groupAnswers(run, proposals, late),
    rankPeers(run, seats),
  ]);
  const verdict = "error" in judged ? undefined : judged;
  const voting = summarise(run, form, votes, flaggedBy(seats), k, run.client.transportErrors - errorsBefore);
  const mostVotes = countClusters(votes)[0]!.key;
  const decided =
    verdict && !verdict.redFlag ? decisionOf(verdict, form, answers, run.question.prompt) : undefined;
  const answer = decided?.answer ?? (verdict ? null : undisputed(answers));
  const ranking = peers.ranked && {
    scores: peers.ranked.scores,
    rankings: peers.ranked.rankings,
    agrees_with_judge: await agreesWithJudge(
      peers.ranked.scores,
      seats,
      votes,
      decided?.answer ?? null,
      keyOf,
      form,
    ),
  };
  if (ranking) {
    const { scores, agrees_with_judge } = ranking;
    run.emit({ type: "ranking.counted", scores, agrees_with_judge });
  }
  const judgeError = "error" in judged ? judged.error : "";
  return {
    tool: council.tool,
    result: councilReport({
      verdict: verdict?.verdict,
      redFlag: verdict?.redFlag ?? false,
      chosen: answers.length > 0 && typeof answer === "string" ? answer : undefined,
      judgeError,
      supported: proposals[votes.findIndex(({ key }) => key === mostVotes)]!.text,
      seats: models.length,
      voting,
      ranking,
      answers: new Map(seats.map(({ seat, proposal }) => [seat, proposal?.answer ?? ""])),
    }),
    answer,
    model: [...new Set(models)].join(", "),
    ...(verdict ? { judge_model: verdict.model } : {}),
    status:
      verdict && !verdict.redFlag ? "complete" : run.budget.stopped && !verdict ? "partial" : "degraded",
    warnings: [
      ...seats.flatMap(({ seat, proposal, reason }) =>
        proposal ? [] : [`Seat ${seat} returned no proposal: ${reason}.`],
      ),
      ...(judgeError ? [`There is no verdict: ${judgeError}.`] : []),
      ...(verdict?.redFlag ? ["The judge raised a red flag."] : []),
      ...(decided?.warning ? [decided.warning] : []),
      ...(verdict && verdict.model !== judges[0]
        ? [`The judge ${judges[0]} failed; ${verdict.model} decided.`]
        : []),
      ...peers.warnings,
      ...(ranking?.agrees_with_judge === false
        ? ["The seats rank another answer first than the one the judge decided for."]
        : []),
    ],
    voting,
    council: {
      ...summaryOf(seats),
      ...(verdict ? { decision: verdict.verdict.decision } : {}),
      ...(ranking ? { ranking } : {}),
    },
  };
}

/**
 * The part of the time left when the judge is asked, or has decided, after which a verdict does not wait for whether answers mean the same.
 * Rankings, which the last of these questions wait for, end before.
 */
const BESIDE_TIME_SHARE = 0.9;

/** All seats but one, never under two unless one was asked for. A spent budget, or time that is up, shows what there is. */
function requireQuorum(
  run: Run,
  seats: readonly Seat[],
  proposals: readonly Proposal[],
  timeUp: boolean,
): void {
  const { stopped } = run.budget;
  const reasons = seats.flatMap(({ proposal, reason }) => (proposal ? [] : [reason]));
  if (proposals.length === 0 || stopped === "cancelled")
    throw noResultError(run, { flagged: flaggedBy(seats), reasons });
  const quorum = seats.length === 1 ? 1 : Math.max(2, seats.length - 1);
  if (stopped !== undefined || timeUp || proposals.length >= quorum) return;
  const message = `Only ${proposals.length} of ${seats.length} seats returned a proposal, ${quorum} are needed: ${withCounts(reasons)}`;
  throw new CouncilError("no_quorum", message);
}

const flaggedBy = (seats: readonly Seat[]) => seats.reduce((sum, { flagged }) => sum + flagged, 0);

/** The seats' own answers as votes. What the judge says about the proposals is never counted. */
async function groupAnswers(run: Run, proposals: readonly Proposal[], late: AbortSignal) {
  const clusters = createClusters(sameMeaning(run, run.question, late), run.question.prompt);
  const votes = await Promise.all(
    proposals.map(async (proposal) => ({
      key: await clusters.place(proposal.answer, proposal),
      answer: proposal.answer,
    })),
  );
  return { votes, keyOf: (proposal: ReadAnswer) => clusters.place(proposal.answer, proposal) };
}

/** Nothing where it is not asked for; a warning where there are too few proposals. */
async function rankPeers(run: Run, seats: readonly Seat[]) {
  if (!run.settings.peerRanking) return { warnings: [] };
  const proposals = seats.flatMap(({ seat, model, proposal }) =>
    proposal ? [{ seat, model, text: proposal.text }] : [],
  );
  if (proposals.length < MIN_RANKED)
    return {
      warnings: [`Peer ranking needs at least ${MIN_RANKED} proposals; there are ${proposals.length}.`],
    };
  const ranked = await rankProposals(run, proposals);
  return ranked.rankings.length === 0 ? { warnings: ranked.failed } : { ranked, warnings: ranked.failed };
}

/** Whether the judge's answer is that of a best-ranked seat, by the same clusters that counted the seats' answers. */
async function agreesWithJudge(
  scores: PeerRanking["scores"],
  seats: readonly Seat[],
  votes: readonly { key: string }[],
  decided: CouncilMetadata["answer"],
  keyOf: (proposal: ReadAnswer) => Promise<string>,
  form: AnswerForm,
): Promise<boolean | null> {
  if (decided === null) return null;
  const proposing = seats.filter(({ proposal }) => proposal !== undefined);
  const best = scores.filter(({ share }) => share === scores[0]!.share).map(({ seat }) => seat);
  const keys = votes.flatMap(({ key }, i) => (best.includes(proposing[i]!.seat) ? [key] : []));
  return keys.includes(await keyOf(readAnswer({ answer: decided }, form)));
}

function summarise(
  run: Run,
  form: AnswerForm,
  votes: readonly { key: string; answer: string }[],
  flagged: number,
  k: number,
  transportErrors: number,
): VotingSummary {
  const clusters = countClusters(votes).map(({ key: _, ...cluster }) => cluster);
  const [first, second] = clusters;
  return {
    k,
    votes: Object.fromEntries(clusters.map((cluster) => [cluster.answer, cluster.votes])),
    samples: votes.length + flagged,
    red_flagged: flagged,
    transport_errors: transportErrors,
    converged: first!.votes - (second?.votes ?? 0) >= k,
    ...trustIn(run, first!.votes, votes.length, {
      model: [...new Set(run.settings.seats)].join(", "),
      strategy: council.name,
      kind: kindOfAnswer(form, first!.answer, run.question.prompt),
    }),
    clusters,
    hedged: 0,
    speculated: 0,
    wasted: 0,
  };
}

function summaryOf(seats: readonly Seat[]): CouncilSummary {
  return {
    proposals: seats.map(({ seat, model, proposal, reason }) => ({
      seat,
      model,
      answer: proposal?.value ?? null,
      proposal: proposal?.text ?? null,
      error: proposal ? null : reason,
    })),
  };
}
