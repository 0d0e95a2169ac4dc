import { CouncilError } from "../errors.ts";
import { withCounts } from "../no-result.ts";
import { paraphrase } from "../prompts/answer-schemas.ts";
import { paraphrasePrompt } from "../prompts/prompts.ts";
import type { Escalation } from "../request-config.ts";
import type { EscalationStep, Routing } from "../result.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { runVote, type VoteOutcome } from "../voting/run-vote.ts";
import { consultCouncil } from "./council.ts";
import type { Answer } from "./strategy.ts";

export interface Escalated {
  /** The vote that counts. */
  readonly best: VoteOutcome;
  /** Instead of it, where the council had the last word. */
  readonly council?: Answer;
  readonly escalation: readonly EscalationStep[];
  /** What happened, in a sentence for each step. */
  readonly warnings: readonly string[];
}

/** Tries harder, step by step, as long as a vote brings no answer. */
export async function escalateVote(run: Run, first: VoteOutcome, routing: Routing): Promise<Escalated> {
  let best = first;
  const escalation: EscalationStep[] = [];
  const warnings: string[] = [];
  const ways = run.settings.escalate ?? defaultEscalation(first, routing);
  for (const [i, to] of ways.entries()) {
    const because = whyNotAnswered(run, best);
    if (because === undefined || run.budget.stopped !== undefined) break;
    run.emit({ type: "vote.escalated", to });
    const { calls, cost_usd } = run.budget.usage();
    // A step must not take the time of those after it.
    const late = i < ways.length - 1 ? run.budget.afterShare(TIME_SHARE) : undefined;
    const next = await WAYS[to](run, late);
    const usage = run.budget.usage();
    const vote = next.kind === "vote" ? next.vote : undefined;
    const converged =
      next.kind === "answer" ? (next.answer.voting?.converged ?? false) : vote ? vote.winner !== null : false;
    const error = next.kind === "nothing" ? next.reason : vote && whyNothing(run, vote, late);
    escalation.push({
      to,
      because,
      before: { model: best.model, votes: best.summary.votes },
      converged,
      ...(vote ? { model: vote.model } : {}),
      ...(vote?.summary.undecided ? { undecided: vote.summary.undecided } : {}),
      ...(error === undefined ? {} : { error }),
      calls: usage.calls - calls,
      cost_usd: usage.cost_usd === null || cost_usd === null ? null : rounded(usage.cost_usd - cost_usd),
    });
    const was =
      because === "unknown_answer" ? "says that the answer is unknown" : `did not converge (${because})`;
    warnings.push(
      error === undefined
        ? `The vote ${was}, so ${WORDS[to](vote)}.`
        : `The vote ${was}; ${to} brought nothing: ${error}.`,
    );
    if (next.kind === "answer") return { best, council: next.answer, escalation, warnings };
    // A second vote that is undecided too is no better than the first.
    if (vote && (vote.winner !== null || best.leader === null)) best = vote;
  }
  return { best, escalation, warnings };
}

const TIME_SHARE = 0.5;

const WORDS: Readonly<Record<Escalation, (vote: VoteOutcome | undefined) => string>> = {
  paraphrase: () => "it was asked in other words",
  second_model: (vote) => `${vote?.model} was asked`,
  council: () => "the council was asked",
};

/** Where the prompt, not the caller, chose the vote, and the question proves open, the choice is corrected. */
const defaultEscalation = ({ summary }: VoteOutcome, { by }: Routing): readonly Escalation[] =>
  by === "inference" && summary.undecided === "no_agreement" ? ["council"] : [];

/**
 * A model that says it does not know has not answered, and another one may know; where the prompt has these words, they are an answer.
 * Undefined where there is an answer.
 */
function whyNotAnswered(
  { question }: Run,
  { winner, summary }: VoteOutcome,
): EscalationStep["because"] | undefined {
  if (winner === null) return summary.undecided ?? "sample_cap";
  const isNamed = question.prompt.toLowerCase().includes(winner.toLowerCase());
  return UNKNOWN.test(winner) && !isNamed ? "unknown_answer" : undefined;
}

const UNKNOWN =
  /^(?:it is )?(?:unknown|not known|I (?:do not|don['\u2019]t) know|cannot be (?:known|determined))[.!]?$/i;

/** Why a vote brought nothing that could be counted. */
function whyNothing(
  run: Run,
  { winner, summary, reasons }: VoteOutcome,
  late?: AbortSignal,
): string | undefined {
  if (winner !== null) return undefined;
  const { stopped } = run.budget;
  if (stopped !== undefined) return `the run reached its ${stopped}`;
  if (summary.undecided === "budget" && late?.aborted) return "it took half of the time that was left";
  return reasons.length > 0 && Object.keys(summary.votes).length === 0 ? withCounts(reasons) : undefined;
}

/** To a billionth: what a difference of sums adds is noise. */
const rounded = (usd: number) => Math.round(usd * 1e9) / 1e9;

/** What came of a step: another vote, another tool's answer, or the reason why there is neither. */
type StepResult =
  | { readonly kind: "vote"; readonly vote: VoteOutcome }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "nothing"; readonly reason: string };

const nothing = (reason: string): StepResult => ({ kind: "nothing", reason });

/** Why a step is not begun: calls for half of it would be lost. */
function noCallsFor({ limits, budget }: Run, needed: number, what: string): StepResult | undefined {
  const { max_calls } = limits;
  return max_calls !== undefined && max_calls - budget.usage().calls < needed
    ? nothing(`max_calls leaves no ${needed} calls for ${what}`)
    : undefined;
}

/** As many calls as a vote takes at least. */
const leastVotes = ({ settings: { k, cheapK = k } }: Run) => Math.min(k, cheapK);

/** Ways to go on after an undecided vote. A new one is one more entry, and its name in the request's schema. */
const WAYS: Readonly<Record<Escalation, (run: Run, late?: AbortSignal) => Promise<StepResult>>> = {
  /** Voters may disagree about what is asked rather than about the answer. */
  async paraphrase(run, late) {
    const { helper: model, voters } = run.settings;
    const refused = noCallsFor(run, 1 + leastVotes(run), "another wording and a vote on it");
    if (refused) return refused;
    const messages = paraphrasePrompt(run.question);
    const request = { purpose: "paraphrase", model, messages, schema: paraphrase, temperature: 0.3 } as const;
    const sampled = await sample(run, request, late);
    if (sampled.kind === "stopped") return nothing("the run was stopped");
    if (sampled.kind !== "sample") return nothing(sampled.reason);
    const question = { ...run.question, prompt: sampled.value.question };
    return { kind: "vote", vote: await runVote(run, question, voters, { late }) };
  },
  async second_model(run, late) {
    const { second } = run.settings;
    if (second === undefined) return nothing("no second model is configured");
    const refused = noCallsFor(run, leastVotes(run), `a vote of ${second}`);
    return refused ?? { kind: "vote", vote: await runVote(run, run.question, [second], { late }) };
  },
  /** A council that fails leaves the undecided vote as it was. */
  async council(run) {
    const refused = noCallsFor(run, run.settings.seats.length + 1, "a council");
    if (refused) return refused;
    try {
      return { kind: "answer", answer: await consultCouncil(run) };
    } catch (error) {
      if (!(error instanceof CouncilError)) throw error;
      return nothing(error.message);
    }
  },
};
