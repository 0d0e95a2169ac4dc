import { CouncilError } from "../errors.ts";
import { noResultError } from "../no-result.ts";
import { paraphrase } from "../prompts/answer-schemas.ts";
import { paraphrasePrompt } from "../prompts/prompts.ts";
import type { Escalation } from "../request-config.ts";
import type { EscalationStep, Routing } from "../result.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { drawAnswer, SIMULATED_NOTE } from "../simulated/request.ts";
import { runVote, type VoteOutcome } from "../voting/run-vote.ts";
import { consultCouncil } from "./council.ts";
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
  let best = await runVote(run, run.question, run.settings.voters);
  const escalation: EscalationStep[] = [];
  for (const to of run.settings.escalate ?? defaultEscalation(best, routing)) {
    if (best.winner !== null || run.budget.stopped !== undefined) break;
    run.emit({ type: "vote.escalated", to });
    const next = await ESCALATE[to](run);
    if (next.kind === "answer") {
      const { answer } = next;
      const { undecided } = best.summary;
      return {
        ...answer,
        warnings: [`The vote did not converge (${undecided}), so the council was asked.`, ...answer.warnings],
        escalation: [...escalation, { to, converged: answer.voting?.converged ?? false }],
      };
    }
    if (next.kind === "nothing") {
      escalation.push({ to, converged: false, error: next.reason });
      continue;
    }
    const { vote } = next;
    escalation.push({ to, converged: vote.winner !== null });
    // A second vote that is undecided too is no better than the first.
    if (vote.winner !== null || best.leader === null) best = vote;
  }
  if (best.leader === null) {
    throw noResultError(run, { flagged: best.summary.red_flagged, reasons: best.reasons });
  }
  return { ...answerOf(run, best), ...(escalation.length > 0 ? { escalation } : {}) };
}

/** Where the prompt, not the caller, chose the vote, and the question proves open, the choice is corrected. */
const defaultEscalation = ({ summary }: VoteOutcome, { by }: Routing): readonly Escalation[] =>
  by === "inference" && summary.undecided === "no_agreement" ? ["council"] : [];

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

/** What came of trying harder: another vote, another tool's answer, or the reason why there is neither. */
type Escalated =
  | { readonly kind: "vote"; readonly vote: VoteOutcome }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "nothing"; readonly reason: string };

/** Ways to go on after an undecided vote. A new one is one more entry, and its name in the request's schema. */
const ESCALATE: Readonly<Record<Escalation, (run: Run) => Promise<Escalated>>> = {
  /** Voters may disagree about what is asked rather than about the answer. */
  async paraphrase(run) {
    const { helper: model, voters } = run.settings;
    const messages = paraphrasePrompt(run.question);
    const request = { purpose: "paraphrase", model, messages, schema: paraphrase, temperature: 0.3 } as const;
    const sampled = await sample(run, request);
    if (sampled.kind === "stopped") return { kind: "nothing", reason: "the run was stopped" };
    if (sampled.kind !== "sample") return { kind: "nothing", reason: sampled.reason };
    const question = { ...run.question, prompt: sampled.value.question };
    return { kind: "vote", vote: await runVote(run, question, voters) };
  },
  async second_model(run) {
    const { second } = run.settings;
    if (second === undefined) return { kind: "nothing", reason: "no second model is configured" };
    return { kind: "vote", vote: await runVote(run, run.question, [second]) };
  },
  /** A council that fails leaves the undecided vote as it was. */
  async council(run) {
    const { max_calls } = run.limits;
    const needed = run.settings.seats.length + 1;
    if (max_calls !== undefined && max_calls - run.budget.usage().calls < needed)
      return { kind: "nothing", reason: `max_calls leaves no ${needed} calls for a council` };
    try {
      return { kind: "answer", answer: await consultCouncil(run) };
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      return { kind: "nothing", reason: error.message };
    }
  },
};
