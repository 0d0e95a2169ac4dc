import { CouncilError } from "../errors.ts";
import { nothingToShow } from "../no-result.ts";
import type { EscalationStep } from "../result.ts";
import type { Run } from "../run.ts";
import { type Election, holdElection } from "../voting/run-vote.ts";
import { ESCALATE } from "./escalate.ts";
import { votingReport } from "./report.ts";
import type { Answer } from "./strategy.ts";

/** First-to-ahead-by-k; what stays undecided is escalated where the request allows it. */
export async function solveWithVoting(run: Run): Promise<Answer> {
  requireEnoughCalls(run);
  let best = await holdElection(run, run.question, run.settings.voter);
  const escalation: EscalationStep[] = [];
  for (const to of run.settings.escalate) {
    if (best.winner !== null || run.spending.stopped !== undefined) break;
    run.emit({ type: "vote.escalated", to });
    const next = await ESCALATE[to](run);
    if (next.kind === "answer") {
      const { answer } = next;
      return { ...answer, escalation: [...escalation, { to, converged: answer.voting?.converged ?? false }] };
    }
    if (next.kind === "nothing") {
      escalation.push({ to, converged: false, error: next.reason });
      continue;
    }
    const { election } = next;
    escalation.push({ to, converged: election.winner !== null });
    // A second vote that is undecided too is no better than the first.
    if (election.winner !== null || best.leader === null) best = election;
  }
  if (best.leader === null) {
    throw nothingToShow(run, { flagged: best.summary.red_flagged, reasons: best.reasons });
  }
  return { ...answerOf(run, best), ...(escalation.length > 0 ? { escalation } : {}) };
}

/** A vote that can never be decided is refused before it costs anything. */
function requireEnoughCalls({ budget, settings }: Run): void {
  const { max_calls } = budget;
  if (max_calls === undefined || max_calls >= settings.k) return;
  const message = `A vote needs at least k = ${settings.k} calls, but max_calls is ${max_calls}. Raise max_calls or lower k.`;
  throw new CouncilError("budget_exhausted", message);
}

function answerOf(run: Run, best: Election): Answer {
  const { winner, model, summary } = best;
  const common = { tool: "solve_with_voting", result: votingReport(best), model, voting: summary } as const;
  if (winner !== null) return { ...common, status: "complete", warnings: [] };
  const status = run.spending.stopped === undefined ? "degraded" : "partial";
  return { ...common, status, warnings: [`The vote did not converge (${summary.undecided}).`] };
}
