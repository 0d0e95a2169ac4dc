import { type KnownLengths, lengthCap } from "../sampling/length-cap.ts";

/** What the steps of a task have shown so far. Plain JSON, so that a restarted task goes on from it. */
export interface TaskStatistics {
  /** Votes for the winner, of all valid votes: by Wald's identity their ratio estimates the chance that one vote is right. */
  readonly agreed: number;
  readonly total: number;
  readonly lengths: KnownLengths;
}

export const NO_STATISTICS: TaskStatistics = {
  agreed: 0,
  total: 0,
  lengths: { count: 0, mean: 0, spread: 0 },
};

/** Fewer votes say too little about p: a lower bound from three votes would ask for a lead of dozens. */
const MIN_VOTES = 100;

/** Adds a step, whose answers have a mean of `length` tokens. */
export function addStep(
  { agreed, total, lengths }: TaskStatistics,
  step: { readonly agreed: number; readonly total: number; readonly length: number },
): TaskStatistics {
  const cap = lengthCap(0, lengths);
  if (step.length > 0) cap.note(step.length);
  return { agreed: agreed + step.agreed, total: total + step.total, lengths: cap.known() };
}

/** The record from which `k: "auto"` is computed: the task's own once it is long enough, else the record of the model. */
export function recordOf<T>(
  { agreed, total }: TaskStatistics,
  before: T,
): T | { agreed: number; total: number } {
  return total >= MIN_VOTES ? { agreed, total } : before;
}
