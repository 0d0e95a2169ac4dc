import {
  addUsage,
  type Decomposition,
  isSolved,
  NO_USAGE,
  nextOrder,
  type PlanResults,
  type PlanStepResult,
  type TaskUsage,
  undecidedSteps,
} from "@mci-ts/council";
import type { PlanCharges, PlannedRecord, PlanRecord, StoredStep } from "../store/task-records.ts";
import { TaskError } from "../task-error.ts";

/** Where a plan stands by its records. */
export interface PlanProgress {
  /** Solved steps. */
  readonly step: number;
  readonly plan: Decomposition | null;
  readonly results: PlanResults;
  readonly spent: TaskUsage;
}

export const NO_CHARGES: PlanCharges = { charged: NO_USAGE };

export function planProgress(
  { charged }: PlanCharges,
  records: readonly StoredStep<PlanRecord>[],
): PlanProgress {
  const planned = records.find(({ step }) => step === 0)?.record as PlannedRecord | undefined;
  const results = Object.fromEntries(
    records.flatMap(({ step, record }) => (step === 0 ? [] : [[step, record as PlanStepResult]])),
  );
  return {
    step: Object.keys(results).filter((id) => isSolved(results, Number(id))).length,
    plan: planned?.plan ?? null,
    results,
    spent: records.reduce((sum, { record }) => addUsage(sum, record.spent), charged),
  };
}

/** The result as the next one of the plan. */
export const inSequence = ({ results }: PlanProgress, result: PlanStepResult): PlanStepResult => ({
  ...result,
  order: nextOrder(results),
});

export function requireUndecided({ results }: PlanProgress, step: number): PlanStepResult {
  const result = results[step];
  if (result?.kind === "undecided") return result;
  const open = undecidedSteps(results).join(", ") || "none";
  throw new TaskError("task_conflict", `Step ${step} is not undecided; undecided: ${open}`);
}

/** What undecided attempts cost stays charged when their records are replaced. */
export function chargeFor({ charged }: PlanCharges, replaced: readonly PlanStepResult[]): PlanCharges {
  return { charged: replaced.reduce((sum, { spent }) => addUsage(sum, spent), charged) };
}

/** The records that a fork takes over: all but the step, what builds on it, and what is undecided. */
export function recordsWithout({ plan, results }: PlanProgress, step: number): number[] {
  if (plan === null) throw new TaskError("task_conflict", "The task is not decomposed yet; fork it later");
  if (!plan.steps.some(({ id }) => id === step))
    throw new TaskError(
      "invalid_request",
      `step must be one of the plan: ${plan.steps.map(({ id }) => id).join(", ")}; it is ${step}`,
      "query.step",
    );
  const dropped = new Set([step]);
  // Dependencies may point forward, so it goes on until nothing is added.
  for (let before = 0; before !== dropped.size; ) {
    before = dropped.size;
    for (const { id, dependencies } of plan.steps)
      if (dependencies.some((on) => dropped.has(on))) dropped.add(id);
  }
  return [0, ...plan.steps.flatMap(({ id }) => (isSolved(results, id) && !dropped.has(id) ? [id] : []))];
}
