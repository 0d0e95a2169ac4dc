import { paraphrase } from "./answers.ts";
import { consultCouncil } from "./consult-council.ts";
import { draw } from "./draw.ts";
import { type Election, holdElection } from "./election.ts";
import { nothingToShow } from "./failure.ts";
import { paraphrasePrompt } from "./prompts.ts";
import { votingReport } from "./report.ts";
import type { Escalation } from "./request.ts";
import type { EscalationStep } from "./result.ts";
import type { Run } from "./run.ts";
import type { Answer } from "./strategy.ts";

/** First-to-ahead-by-k; what stays undecided is escalated where the request allows it. */
export async function solveWithVoting(run: Run): Promise<Answer> {
  const { voter, escalate } = run.settings;
  let best: Ballot = { model: voter, ...(await holdElection(run, run.question, voter)) };
  const escalation: EscalationStep[] = [];
  for (const to of escalate) {
    if (best.winner !== null || run.spending.stopped !== undefined) break;
    run.emit({ type: "vote.escalated", to });
    if (to === "council")
      return { ...(await consultCouncil(run)), escalation: [...escalation, { to, converged: true }] };
    const next = await ESCALATIONS[to](run);
    if (typeof next === "string") {
      escalation.push({ to, converged: false, error: next });
      continue;
    }
    escalation.push({ to, converged: next.winner !== null });
    // An undecided second vote is no better than an undecided first one.
    if (next.winner !== null || best.leader === null) best = next;
  }
  if (best.leader === null)
    throw nothingToShow(run, { flagged: best.summary.red_flagged, reasons: best.reasons });
  const { winner, summary, model } = best;
  return {
    tool: "solve_with_voting",
    result: votingReport(best),
    model,
    voting: summary,
    ...(escalation.length > 0 ? { escalation } : {}),
    ...(winner !== null
      ? { status: "complete", warnings: [] }
      : {
          status: summary.undecided === "budget" ? "partial" : "degraded",
          warnings: [`The vote did not converge (${summary.undecided}).`],
        }),
  };
}

interface Ballot extends Election {
  readonly model: string;
}

/** Another vote, or the reason why there is none. */
const ESCALATIONS: Readonly<Record<Exclude<Escalation, "council">, (run: Run) => Promise<Ballot | string>>> =
  {
    async paraphrase(run) {
      const { helper, voter } = run.settings;
      const messages = paraphrasePrompt(run.question);
      const drawn = await draw(run, {
        purpose: "paraphrase",
        model: helper,
        messages,
        schema: paraphrase,
        temperature: 0.3,
      });
      if (drawn.kind !== "sample") return drawn.kind === "stopped" ? "the run was stopped" : drawn.reason;
      return {
        model: voter,
        ...(await holdElection(run, { ...run.question, prompt: drawn.value.question }, voter)),
      };
    },
    async second_model(run) {
      const { second } = run.settings;
      if (second === undefined) return "no second model is configured";
      return { model: second, ...(await holdElection(run, run.question, second)) };
    },
  };
