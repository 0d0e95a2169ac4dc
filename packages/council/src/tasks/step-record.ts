import type { AnswerObject } from "../answer-schema/compile.ts";
import { addStep, NO_STATISTICS, type TaskStatistics } from "./task-statistics.ts";
import type { PauseReason } from "./task-status.ts";
import { addUsage, NO_USAGE, type TaskUsage } from "./usage.ts";

/**
 * One decided step as it is stored: a million of them must stay small, so what is usual is left out. The wording of replies is there
 * only where they differed or were flagged.
 */
export interface StepRecord {
  readonly answer: AnswerObject;
  /** A number where all votes agreed, else the votes by answer, the winner first. 0: a person answered. */
  readonly votes: number | Readonly<Record<string, number>>;
  readonly calls: number;
  /** Input and output. */
  readonly tokens: readonly [number, number];
  /** null: unknown. Default 0. */
  readonly usd?: number | null;
  /** Mean tokens of the valid answers. */
  readonly length: number;
  /** Default: as the task says. */
  readonly k?: number;
  readonly flagged?: number;
  readonly samples?: string;
  readonly by?: "person";
  /** Calls that an interrupted attempt at this step is charged with. */
  readonly lost?: number;
}

/** What a person sees before deciding a step that the vote left open. Plain JSON. */
export interface StepEvidence {
  /** As the models got it; the beginning of a long one. */
  readonly prompt: string;
  /** The lead that was needed; null where the step was not voted on. */
  readonly k: number | null;
  /** Valid votes by answer, most first. */
  readonly votes: Readonly<Record<string, number>>;
  /** Every reply, each with what became of it; the beginning of many. */
  readonly samples: string;
}

/** Characters of the prompt and of the replies. */
const MAX_EVIDENCE_CHARS = 20_000;

export function toEvidence({ prompt, k, votes, samples }: StepEvidence): StepEvidence {
  return { prompt: bounded(prompt), k, votes, samples: bounded(samples) };
}

const bounded = (text: string) =>
  text.length <= MAX_EVIDENCE_CHARS
    ? text
    : `${text.slice(0, MAX_EVIDENCE_CHARS)}\n… ${text.length - MAX_EVIDENCE_CHARS} characters are left out`;

/** A step that ended without an answer. */
export interface StepEnd {
  readonly end: "paused" | "failed";
  readonly reason: PauseReason | "invalid_prompt" | "internal" | "crashed";
  readonly message: string;
  readonly spent: TaskUsage;
  readonly lost?: number;
  /** Where a vote was held. */
  readonly evidence?: StepEvidence;
}

export type StepOutcome = StepRecord | StepEnd;

/** Where a task of steps stands: all that the next step needs. Plain JSON. */
export interface StepsProgress {
  /** Decided so far. */
  readonly step: number;
  readonly state: Readonly<Record<string, unknown>>;
  /** The answer of the last step. */
  readonly answer: AnswerObject | null;
  /** Stored with tasks under this name. */
  readonly learnt: TaskStatistics;
  readonly spent: TaskUsage;
  /** Steps whose votes differed, or of which a reply was flagged. */
  readonly contested: number;
}

export const startProgress = (state: StepsProgress["state"]): StepsProgress => ({
  step: 0,
  state,
  answer: null,
  learnt: NO_STATISTICS,
  spent: NO_USAGE,
  contested: 0,
});

/** The progress after a decided step whose new state is `state`. Pure: replaying the records gives the same progress. */
export function addRecord(
  progress: StepsProgress,
  record: StepRecord,
  state: StepsProgress["state"],
): StepsProgress {
  const { agreed, total } = agreement(record);
  return {
    step: progress.step + 1,
    state,
    answer: record.answer,
    learnt: addStep(progress.learnt, { agreed, total, length: record.length }),
    spent: addUsage(progress.spent, spendingOf(record)),
    contested: progress.contested + (isContested(record) ? 1 : 0),
  };
}

export function spendingOf(outcome: StepOutcome): TaskUsage {
  const lost = { ...NO_USAGE, calls: outcome.lost ?? 0 };
  if ("end" in outcome) return addUsage(outcome.spent, lost);
  const { calls, tokens, usd = 0 } = outcome;
  return addUsage({ calls, input_tokens: tokens[0], output_tokens: tokens[1], cost_usd: usd }, lost);
}

export function isContested({ votes, flagged = 0 }: StepRecord): boolean {
  return typeof votes !== "number" || flagged > 0;
}

function agreement({ votes }: StepRecord): { agreed: number; total: number } {
  if (typeof votes === "number") return { agreed: votes, total: votes };
  const counts = Object.values(votes);
  return { agreed: Math.max(...counts), total: counts.reduce((sum, count) => sum + count, 0) };
}
