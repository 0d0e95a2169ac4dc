import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Budget, Decomposition, PlanEngine, PlanResults, PlanStepResult } from "@mci-ts/council";
import type { WorkflowDependencies } from "./steps-workflow.ts";
import { readControl } from "./task-rows.ts";

export interface PlanDependencies extends Omit<WorkflowDependencies, "steps"> {
  readonly plans: (id: string) => Promise<PlanEngine>;
}

export interface PlanStepInput {
  readonly id: string;
  readonly segment: number;
  readonly step: number;
  readonly plan: Decomposition;
  /** Of the steps it depends on. */
  readonly results: PlanResults;
  readonly budget: Budget;
  /** Who started it: another executor has taken it over. */
  readonly executor: string;
  /** What a step has taken so far: an estimate of what an interrupted attempt spent. */
  readonly meanCalls: number;
  /** The segment's workflow, which is told when the step has ended. */
  readonly parent: string;
}

/** null: a person paused the task before it began. */
export type PlanStepOutcome = PlanStepResult | null;

/** News for the workflow of a plan's segment: a step has ended, or a person has answered one. */
export const PLAN_NEWS = "news";
export type PlanNews = { readonly ended: number } | { readonly answered: number };

/** One step of a plan, as a workflow of its own. */
export async function solvePlanStep(input: PlanStepInput, deps: PlanDependencies): Promise<PlanStepOutcome> {
  const { id, segment, step, parent } = input;
  const live = deps.live.enter(id, segment);
  try {
    const control = await DBOS.runStep(() => deps.whileAlive((db) => readControl(db, id)), {
      name: "control",
    });
    const engine = await deps.plans(id);
    const outcome =
      control === "pause"
        ? null
        : await DBOS.runStep(() => solve(input, engine, live.signal, deps), { name: "solve" });
    await DBOS.send<PlanNews>(parent, { ended: step }, PLAN_NEWS);
    return outcome;
  } finally {
    deps.live.leave(live);
  }
}

async function solve(
  { step: number, plan, results, budget, executor, meanCalls }: PlanStepInput,
  engine: PlanEngine,
  signal: AbortSignal,
  deps: PlanDependencies,
): Promise<PlanStepResult> {
  const recovered = executor !== deps.executorId;
  if (recovered) deps.metrics.onRecovered();
  // What an interrupted attempt spent is not known.
  const lost = recovered ? meanCalls : 0;
  const step = plan.steps.find((one) => one.id === number)!;
  const work = { plan, step, results, budget: withoutLost(budget, lost) };
  const result = await deps.unlessStopping(() => engine.solve(work, signal).catch(toUndecided(signal)));
  deps.metrics.onStep(result.kind === "solved");
  return lost === 0 ? result : { ...result, spent: { ...result.spent, calls: result.spent.calls + lost } };
}

function withoutLost({ max_calls, ...budget }: Budget, lost: number): Budget {
  return { ...budget, max_calls: max_calls === undefined ? undefined : Math.max(1, max_calls - lost) };
}

/** A defect holds up what depends on the step, and can be seen. */
const toUndecided =
  (signal: AbortSignal) =>
  (error: unknown): PlanStepResult => {
    if (signal.aborted) throw error;
    return {
      kind: "undecided",
      reason: `The step failed unexpectedly: ${error instanceof Error ? error.message : error}`,
      spent: { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 },
    };
  };
