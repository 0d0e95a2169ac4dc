import { CouncilError } from "../errors.ts";
import { noResultError } from "../no-result.ts";
import type { Routing } from "../result.ts";
import type { Run } from "../run.ts";
import { drawAnswer, SIMULATED_NOTE } from "../simulated/request.ts";
import { runVote, type VoteOutcome } from "../voting/run-vote.ts";
import { escalateVote } from "./escalation.ts";
import { votingReport } from "./report.ts";
import type { Answer, Strategy } from "./strategy.ts";

export const vote = {
  name: "vote",
  tool: "solve_with_voting",
  label: "Vote",
  intents: { validation: "Vote" },
  description: "For questions with one short answer: samples votes until one answer is ahead by k.",
  suits: "is a direct question with one factual answer or one pick",
  input: { aliases: ["query"], config: ["k", "answer_schema"] },
  // They hold for the council that an undecided vote may be escalated to.
  ignores: ["num_voters", "judge_model", "peer_ranking"],
  measuresAgreement: true,
  simulated: { vote: (request) => ({ rationale: SIMULATED_NOTE, ...drawAnswer(request) }) },
  run: solveWithVoting,
} as const satisfies Strategy;

/** First-to-ahead-by-k; an undecided vote is escalated where the request or the routing allows it. */
async function solveWithVoting(run: Run, routing: Routing): Promise<Answer> {
  requireEnoughCalls(run);
  const first = await runVote(run, run.question, run.settings.voters);
  const { best, council, escalation, warnings } = await escalateVote(run, first, routing);
  const steps = escalation.length > 0 ? { escalation } : {};
  if (council) return { ...council, warnings: [...warnings, ...council.warnings], ...steps };
  if (best.leader === null) {
    throw noResultError(run, { flagged: best.summary.red_flagged, reasons: best.reasons });
  }
  const answer = answerOf(run, best);
  return { ...answer, warnings: [...answer.warnings, ...warnings], ...steps };
}

/** A vote that can never be decided is refused before it costs anything. */
function requireEnoughCalls({ limits, settings }: Run): void {
  const { max_calls } = limits;
  if (max_calls === undefined || max_calls >= settings.k) return;
  const message = `A vote needs at least k = ${settings.k} calls, but max_calls is ${max_calls}. Raise max_calls or lower k.`;
  throw new CouncilError("budget_exhausted", message);
}

function answerOf(run: Run, best: VoteOutcome): Answer {
  const { winner, model, summary } = best;
  const common = {
    tool: vote.tool,
    result: votingReport(best),
    answer: best.answer,
    model,
    voting: summary,
  } as const;
  if (winner !== null) return { ...common, status: "complete", warnings: [] };
  const status = run.budget.stopped === undefined ? "degraded" : "partial";
  return { ...common, status, warnings: [`The vote did not converge (${summary.undecided}).`] };
}
