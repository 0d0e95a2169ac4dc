import {
  addUsage,
  type Decomposition,
  isSolved,
  nextOrder,
  type PlanResults,
  type PlanStepResult,
  type TaskUsage,
  undecidedSteps,
} from "@mci-ts/council";
import { TaskError } from "./task-error.ts";

/** Where a plan stands. Plain JSON. */
export interface PlanProgress {
  /** Solved steps. */
  readonly step: number;
  readonly plan: Decomposition | null;
  /** What the decomposition cost. */
  readonly planning?: TaskUsage;
  readonly results: PlanResults;
  readonly spent: TaskUsage;
}

export const NO_PLAN: PlanProgress = {
  step: 0,
  plan: null,
  results: {},
  spent: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
};

/** With one more result, solved or not, and what it cost. */
export function withResult(progress: PlanProgress, id: number, result: PlanStepResult): PlanProgress {
  const order = nextOrder(progress.results);
  return {
    ...withResults(progress, { ...progress.results, [id]: { ...result, order } }),
    spent: addUsage(progress.spent, result.spent),
  };
}

/** Undecided steps are tried again. */
export function withoutUndecided(progress: PlanProgress): PlanProgress {
  const solved = Object.entries(progress.results).filter(([, { kind }]) => kind === "solved");
  return withResults(progress, Object.fromEntries(solved));
}

/** The answers of people, where a step is still undecided. Other undecided steps stay: they are not paid for again. */
export function withAnswers(progress: PlanProgress, answers: PlanResults | null): PlanProgress {
  return Object.entries(answers ?? {}).reduce(
    (at, [id, answer]) => (at.results[id]?.kind === "undecided" ? withResult(at, Number(id), answer) : at),
    progress,
  );
}

export function requireUndecided({ results }: PlanProgress, step: number): void {
  if (results[step]?.kind === "undecided") return;
  const open = undecidedSteps(results).join(", ") || "none";
  throw new TaskError("task_conflict", `Step ${step} is not undecided; undecided: ${open}`);
}

/** As if the step, and all that builds on it, had not been solved yet. */
export function progressWithout(progress: PlanProgress, step: number): PlanProgress {
  const { plan, planning = NO_PLAN.spent, results } = progress;
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
  const taken = Object.entries(results).filter(
    ([id, { kind }]) => kind === "solved" && !dropped.has(Number(id)),
  );
  const spent = taken.reduce((sum, [, result]) => addUsage(sum, result.spent), planning);
  return { ...withResults(progress, Object.fromEntries(taken)), spent };
}

function withResults(progress: PlanProgress, results: PlanResults): PlanProgress {
  const step = Object.keys(results).filter((id) => isSolved(results, Number(id))).length;
  return { ...progress, results, step };
}
