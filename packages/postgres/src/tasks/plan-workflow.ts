import { DBOS, type WorkflowHandle } from "@dbos-inc/dbos-sdk";
import {
  addUsage,
  allotBudget,
  type Budget,
  type Decomposition,
  isSolved,
  NO_USAGE,
  type PlanEngine,
  type PlanResults,
  readySteps,
  type Step,
  type StepEnd,
  undecidedSteps,
} from "@mci-ts/council";
import type { LiveTask } from "./live-tasks.ts";
import { type PlanProgress, withAnswers, withResult } from "./plan-progress.ts";
import {
  PLAN_NEWS,
  type PlanDependencies,
  type PlanNews,
  type PlanStepInput,
  type PlanStepOutcome,
  solvePlanStep,
} from "./plan-step.ts";
import { toStepEnd } from "./steps-workflow.ts";
import { beginSegment, endSegment, readAnswers, type SegmentEnd } from "./task-rows.ts";

export interface PlanInput {
  readonly id: string;
  readonly segment: number;
  readonly progress: PlanProgress;
}

type PlanStepWorkflow = (input: PlanStepInput) => Promise<PlanStepOutcome>;

/**
 * decompose -> (a workflow for each step that is ready -news-> more that are ready)* -> synthesise
 *
 * What happens next depends on what was recorded alone: the news in the order in which they were received.
 */
export function registerPlanWorkflow(deps: PlanDependencies) {
  const child = DBOS.registerWorkflow((input: PlanStepInput) => solvePlanStep(input, deps), {
    name: "plan_step",
  });
  return DBOS.registerWorkflow((input: PlanInput) => runPlan(input, child, deps), { name: "plan_task" });
}

async function runPlan(
  { id, segment, progress }: PlanInput,
  child: PlanStepWorkflow,
  deps: PlanDependencies,
): Promise<void> {
  const { whileAlive } = deps;
  const begun = await DBOS.runStep(() => whileAlive((db) => beginSegment(db, id, segment)), {
    name: "begin",
  });
  if (begun === null) return;
  const live = deps.live.enter(id, segment);
  try {
    const engine = await deps.plans(id);
    const plan = openPlan({ id, segment, progress }, { child, live, engine, deps });
    // A person may answer a step at the very moment at which the plan would pause.
    for (let ended = false; !ended; ) {
      const end = await plan.work();
      const answered = plan.answered();
      ended = await DBOS.runStep(() => whileAlive((db) => endSegment(db, id, segment, end, answered)), {
        name: "end",
      });
    }
  } finally {
    deps.live.leave(live);
  }
}

interface PlanParts {
  readonly child: PlanStepWorkflow;
  readonly live: LiveTask;
  readonly engine: PlanEngine;
  readonly deps: PlanDependencies;
}

function openPlan({ id, segment, progress }: PlanInput, { child, live, engine, deps }: PlanParts) {
  const parent = DBOS.workflowID!;
  let at = progress;
  let answered = 0;
  const running = new Map<number, { handle: WorkflowHandle<PlanStepOutcome>; budget: Budget }>();
  /** Steps that were not begun, because a person paused the task. */
  const held = new Set<number>();
  return { work, answered: () => answered };

  function moveTo(next: PlanProgress): void {
    at = next;
    live.report(next);
  }

  async function work(): Promise<SegmentEnd> {
    if (at.plan === null) {
      const planned = await DBOS.runStep(
        () => deps.unlessStopping(() => engine.decompose(at.spent, live.signal).catch(toStepEnd(live))),
        { name: "decompose" },
      );
      const spent = addUsage(at.spent, planned.spent);
      if ("end" in planned) return ended({ ...at, spent }, planned);
      moveTo({ ...at, plan: planned.plan, planning: planned.spent, spent });
    }
    const plan = at.plan!;
    const exhausted = await solveAll(plan);
    if (plan.steps.some((step) => !isSolved(at.results, step.id))) return waiting(at, exhausted);
    const { results, spent: before } = at;
    const synthesis = await DBOS.runStep(
      () =>
        deps.unlessStopping(() =>
          engine.synthesise(plan, results, before, live.signal).catch(toStepEnd(live)),
        ),
      { name: "synthesise" },
    );
    const spent = addUsage(before, synthesis.spent);
    if ("end" in synthesis) return ended({ ...at, spent }, synthesis);
    return { status: "complete", progress: { ...at, spent }, result: synthesis.result };
  }

  /** Until nothing runs and nothing more can begin. The limit that leaves nothing for the rest, if that is why. */
  async function solveAll(plan: Decomposition): Promise<string | undefined> {
    await applyAnswers();
    for (;;) {
      const exhausted = await startReady(plan);
      if (running.size === 0) return exhausted;
      const news = await DBOS.recv<PlanNews>(PLAN_NEWS, { timeoutSeconds: 60, pollingIntervalMs: 1000 });
      if (news === null) await finishUnreported();
      else if ("answered" in news) await applyAnswers();
      else await finish(news.ended);
    }
  }

  async function startReady(plan: Decomposition): Promise<string | undefined> {
    const ready = readySteps(plan, at.results).filter(({ id }) => !running.has(id) && !held.has(id));
    if (ready.length === 0) return undefined;
    const reserved = [...running.values()].map(({ budget }) => budget);
    const allotted = allotBudget(engine.limits, at.spent, reserved, ready.length);
    if ("exhausted" in allotted) return allotted.exhausted;
    for (const step of ready.slice(0, allotted.start)) await start(plan, step, allotted.budget);
    return undefined;
  }

  async function start(plan: Decomposition, { id: step, dependencies }: Step, budget: Budget): Promise<void> {
    const { results } = at;
    const handle = await DBOS.startWorkflow(child, { workflowID: `${parent}-${step}` })({
      ...{ id, segment, step, plan, budget, parent },
      results: Object.fromEntries(dependencies.map((on) => [on, results[on]!])),
      executor: deps.executorId,
      meanCalls: meanCalls(results),
    });
    running.set(step, { handle, budget });
  }

  async function finish(step: number): Promise<void> {
    const found = running.get(step);
    if (found === undefined) return;
    const result = await found.handle.getResult({ pollingIntervalMs: 100 }).catch(toUndecided);
    running.delete(step);
    if (result === null) held.add(step);
    else moveTo(withResult(at, step, result));
  }

  /** A step whose workflow failed has sent no news. */
  async function finishUnreported(): Promise<void> {
    for (const step of [...running.keys()]) {
      const status = await DBOS.getWorkflowStatus(`${parent}-${step}`);
      if (!UNFINISHED.has(status?.status ?? "")) await finish(step);
    }
  }

  /** An answered step is solved; what waited for it can begin. */
  async function applyAnswers(): Promise<void> {
    const answers = await DBOS.runStep(() => deps.whileAlive((db) => readAnswers(db, id, segment)), {
      name: "answers",
    });
    answered = Object.keys(answers ?? {}).length;
    moveTo(withAnswers(at, answers));
  }
}

const UNFINISHED: ReadonlySet<string> = new Set(["PENDING", "ENQUEUED", "DELAYED"]);

const toUndecided = (error: unknown): PlanStepOutcome => ({
  kind: "undecided",
  reason: `The step failed unexpectedly: ${error instanceof Error ? error.message : error}`,
  spent: NO_USAGE,
});

function meanCalls(results: PlanResults): number {
  const solved = Object.values(results).filter(({ kind }) => kind === "solved");
  const calls = solved.reduce((sum, { spent }) => sum + spent.calls, 0);
  return solved.length === 0 ? 0 : Math.round(calls / solved.length);
}

function waiting(progress: PlanProgress, exhausted: string | undefined): SegmentEnd {
  const undecided = undecidedSteps(progress.results);
  if (undecided.length === 0)
    return exhausted === undefined
      ? stopped(progress, "requested", "Paused on request.")
      : stopped(progress, "budget", `The task has spent its ${exhausted}. Start it again with more.`);
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

/** A defect fails the task, so that it can be seen; all else waits for a person. */
const ended = (progress: PlanProgress, { end, reason, message }: StepEnd): SegmentEnd => ({
  ...stopped(progress, reason, message),
  status: end,
});

const stopped = (progress: PlanProgress, code: string, message: string): SegmentEnd => ({
  status: "paused",
  progress,
  error: { code, message },
});
