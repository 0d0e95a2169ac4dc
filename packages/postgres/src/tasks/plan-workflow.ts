import { DBOS } from "@dbos-inc/dbos-sdk";
import {
  addUsage,
  type Decomposition,
  inOrder,
  isSolved,
  nextOrder,
  type PlanEngine,
  type PlanResults,
  type PlanStepResult,
  type TaskUsage,
  undecidedSteps,
} from "@mci-ts/council";
import type { LiveTask } from "./live-tasks.ts";
import { RETRIED, type WorkflowDependencies } from "./steps-workflow.ts";
import { beginSegment, endSegment, type PlanProgress, type SegmentEnd } from "./task-rows.ts";

export interface PlanDependencies extends Omit<WorkflowDependencies, "steps" | "metrics"> {
  readonly plans: (id: string) => Promise<PlanEngine>;
}

export interface PlanInput {
  readonly id: string;
  readonly segment: number;
  readonly progress: PlanProgress;
}

interface PlanStepInput {
  readonly id: string;
  readonly segment: number;
  readonly step: number;
  readonly plan: Decomposition;
  /** What is known already; other dependencies are workflows of this segment. */
  readonly known: PlanResults;
  readonly spent: TaskUsage;
  /** The segment's workflow. */
  readonly parent: string;
}

/** null: it waits for a step that is not solved, or for a person. */
type ChildResult = PlanStepResult | null;

/**
 * decompose -> (a workflow for each step, which waits for those it depends on) -> synthesise
 *
 * All steps are started in one fixed order, as a replay needs it; who goes first is decided by their dependencies alone.
 */
export function registerPlanWorkflow(deps: PlanDependencies) {
  const child = DBOS.registerWorkflow((input: PlanStepInput) => solveStep(input, deps), {
    name: "plan_step",
  });
  return DBOS.registerWorkflow((input: PlanInput) => runPlan(input, child, deps), { name: "plan_task" });
}

async function runPlan(
  { id, segment, progress }: PlanInput,
  child: (input: PlanStepInput) => Promise<ChildResult>,
  deps: PlanDependencies,
): Promise<void> {
  const { whileLiving } = deps;
  const begun = await DBOS.runStep(() => whileLiving((db) => beginSegment(db, id, segment)), {
    name: "begin",
    ...RETRIED,
  });
  if (begun === null) return;
  const live = deps.live.enter(id, segment);
  try {
    const end = await work(live);
    await DBOS.runStep(() => whileLiving((db) => endSegment(db, id, segment, end)), {
      name: "end",
      ...RETRIED,
    });
  } finally {
    deps.live.leave(live);
  }

  async function work(live: LiveTask): Promise<SegmentEnd> {
    const engine = await deps.plans(id);
    let at = progress;
    const moveTo = (next: PlanProgress) => {
      at = next;
      live.report(next);
    };
    if (at.plan === null) {
      const planned = await DBOS.runStep(
        () => deps.unlessStopping(() => engine.decompose(at.spent, live.signal)),
        { name: "decompose" },
      );
      const spent = addUsage(at.spent, planned.spent);
      if ("end" in planned) return stopped({ ...at, spent }, planned.reason, planned.message);
      moveTo({ ...at, plan: planned.plan, spent });
    }
    const plan = at.plan!;
    await solveAll(plan, () => at, moveTo);
    const open = plan.steps.filter((step) => !isSolved(at.results, step.id));
    if (open.length > 0) return waiting(at);
    const synthesis = await DBOS.runStep(
      () => deps.unlessStopping(() => engine.synthesise(plan, at.results, at.spent, live.signal)),
      { name: "synthesise" },
    );
    const spent = addUsage(at.spent, synthesis.spent);
    if ("end" in synthesis) return stopped({ ...at, spent }, synthesis.reason, synthesis.message);
    return { status: "complete", progress: { ...at, spent }, result: synthesis.result };
  }

  async function solveAll(
    plan: Decomposition,
    now: () => PlanProgress,
    moveTo: (progress: PlanProgress) => void,
  ): Promise<void> {
    const { results: known, spent } = now();
    const parent = DBOS.workflowID!;
    const started = [];
    for (const step of inOrder(plan)) {
      if (known[step.id]) continue;
      const workflowID = `${parent}-${step.id}`;
      const input = { id, segment, step: step.id, plan, known, spent, parent };
      started.push({ step, handle: await DBOS.startWorkflow(child, { workflowID })(input) });
    }
    await Promise.all(
      started.map(async ({ step, handle }) => {
        const result = await handle.getResult({ pollingIntervalMs: 100 });
        if (result !== null) moveTo(withResult(now(), step.id, result));
      }),
    );
  }
}

async function solveStep(input: PlanStepInput, deps: PlanDependencies): Promise<ChildResult> {
  const { id, segment, plan, known, parent } = input;
  const step = plan.steps.find((one) => one.id === input.step)!;
  const results: Record<string, PlanStepResult> = {};
  for (const on of step.dependencies) {
    const result =
      known[on] ??
      (await DBOS.retrieveWorkflow<ChildResult>(`${parent}-${on}`).getResult({ pollingIntervalMs: 100 }));
    if (result?.kind !== "solved") return null;
    results[on] = result;
  }
  const live = deps.live.enter(id, segment);
  try {
    const engine = await deps.plans(id);
    return await DBOS.runStep(
      async () => {
        if (live.pauseWanted) return null;
        // Beside what was spent before the segment, that of the steps this one builds on.
        const spent = Object.values(results).reduce((sum, one) => addUsage(sum, one.spent), input.spent);
        return deps.unlessStopping(() => engine.solve({ plan, step, results, spent }, live.signal));
      },
      { name: "solve" },
    );
  } finally {
    deps.live.leave(live);
  }
}

function withResult(progress: PlanProgress, id: number, result: PlanStepResult): PlanProgress {
  const order = nextOrder(progress.results);
  const results: PlanResults = { ...progress.results, [id]: { ...result, order } };
  const step = Object.values(results).filter(({ kind }) => kind === "solved").length;
  return { ...progress, results, step, spent: addUsage(progress.spent, result.spent) };
}

function waiting(progress: PlanProgress): SegmentEnd {
  const undecided = undecidedSteps(progress.results);
  if (undecided.length === 0) return stopped(progress, "requested", "Paused on request.");
  const reasons = undecided.map((id) => {
    const result = progress.results[id];
    return `step ${id}: ${result?.kind === "undecided" ? result.reason : ""}`;
  });
  return stopped(
    progress,
    "undecided",
    `Answer with POST /tasks/:id/steps/:n, or resume to try again. ${reasons.join("; ")}`,
  );
}

const stopped = (progress: PlanProgress, code: string, message: string): SegmentEnd => ({
  status: "paused",
  progress,
  error: { code, message },
});
