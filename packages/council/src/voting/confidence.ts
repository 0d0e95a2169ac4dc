import { canonical } from "../canonical/canonical.ts";
import type { AnswerForm } from "../prompts/answer-schemas.ts";
import type { VotingSummary } from "../result.ts";
import type { Run } from "../run.ts";
import { SIMULATED_MODEL } from "../simulated/request.ts";
import type { OutcomeBasis } from "./calibration.ts";
import { effectiveVotes } from "./dependence.ts";
import { whyVotesCannotHelp } from "./vote-limits.ts";

/** What a vote says: how far its samples agree, and, only where outcomes were measured, how likely the leader is right. */
export type Trust = Pick<
  VotingSummary,
  "agreement" | "effective_votes" | "confidence" | "confidence_interval" | "basis"
>;

/** `basis`: what outcomes of such votes are collected under; undefined where none are. */
export function trustIn(
  run: Run,
  leaderVotes: number,
  votes: number,
  basis: OutcomeBasis | undefined,
): Trust {
  const agreement = votes === 0 ? 0 : leaderVotes / votes;
  // Simulated votes are all drawn by the same lot.
  if (basis === undefined || votes === 0 || run.client.respondingModels.has(SIMULATED_MODEL))
    return { agreement };
  const { outcomes = 0, allKinds = false } = run.calibration?.count(basis) ?? {};
  const counted = { ...basis, outcomes, ...(allKinds ? { all_kinds: true } : {}) };
  const measured = run.calibration?.measured(basis);
  if (measured === undefined) return { agreement, basis: counted };
  const advice = whyVotesCannotHelp(basis.model, measured);
  if (advice !== undefined) run.notices.add(advice);
  const { value, interval } = measured.confidence(leaderVotes, votes);
  return {
    agreement,
    effective_votes: rounded(effectiveVotes(votes, measured.dependence)),
    confidence: rounded(value),
    confidence_interval: [rounded(interval[0]), rounded(interval[1])],
    basis: counted,
  };
}

export function kindOfAnswer(
  { choices, object }: AnswerForm,
  leader: string | null,
  question: string,
): string {
  if (object) return "object";
  if (choices.length > 0) return "choice";
  return leader === null ? "text" : canonical(leader, question).kind;
}

const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
