import { CouncilError } from "../errors.ts";
import { paraphrase } from "../prompts/answer-schemas.ts";
import { paraphrasePrompt } from "../prompts/prompts.ts";
import type { Escalation } from "../request-config.ts";
import type { Run } from "../run.ts";
import { sample } from "../sampling/sample.ts";
import { runVote, type VoteOutcome } from "../voting/run-vote.ts";
import { consultCouncil } from "./council.ts";
import type { Answer } from "./strategy.ts";

/** What came of trying harder: another vote, another tool's answer, or the reason why there is neither. */
export type Escalated =
  | { readonly kind: "vote"; readonly vote: VoteOutcome }
  | { readonly kind: "answer"; readonly answer: Answer }
  | { readonly kind: "nothing"; readonly reason: string };

/** Ways to go on after an undecided vote. A new one is one more entry, and its name in the request's schema. */
export const ESCALATE: Readonly<Record<Escalation, (run: Run) => Promise<Escalated>>> = {
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
