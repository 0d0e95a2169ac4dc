import { setTimeout as sleep } from "node:timers/promises";
import {
  addUsage,
  allotBudget,
  type Budget,
  type Decomposition,
  isSolved,
  NO_USAGE,
  type PlanEngine,
  type PlanResults,
  type PlanStepResult,
  readySteps,
  type Step,
  type StepEnd,
  undecidedSteps,
} from "@mci-ts/council";
import type { Execution } from "../runner/execution.ts";
import { PAUSE_REQUESTED, toStepEnd } from "../runner/task-end.ts";
import type { PlanCharges, PlanRecord, TaskEnd } from "../store/task-records.ts";
import { inSequence, type PlanProgress, planProgress } from "./plan-progress.ts";

interface RunningStep {
  readonly budget: Budget;
  readonly ended: Promise<{ readonly step: number; readonly result: PlanStepResult }>;
}

/**
 * decompose -record-> (every step that is ready, side by side -record-> more that are ready)* -> synthesise
 *
 * What is recorded is not paid for again after a crash. undefined: another execution has the task.
 */
export async function runPlan(
  engine: PlanEngine,
  execution: Execution<PlanCharges>,
): Promise<TaskEnd | undefined> {
  const { store, claim, live, retry, unlessStopping } = execution;
  const running = new Map<number, RunningStep>();
  let { control, interrupted } = execution;
  let charges = execution.progress;
  if (execution.lostCalls > 0) await retry(() => store.chargeLost(claim));
  let at = await read();

  if (at.plan === null) {
    if (control === "pause") return ending(PAUSE_REQUESTED);
    const planned = await unlessStopping(() =>
      engine.decompose(at.spent, live.signal, execution.guard).catch(toStepEnd(live.signal)),
    );
    if ("end" in planned) return ending(endOf(planned), planned);
    if (!(await record(0, planned))) return undefined;
  }
  const plan = at.plan!;
  for (;;) {
    const exhausted = control === "pause" ? undefined : startReady(plan);
    interrupted = false;
    if (running.size > 0) {
      const ended = await nextChange();
      if (ended === undefined) at = await read();
      else if (!(await record(ended.step, inSequence(at, ended.result)))) return undefined;
      continue;
    }
    if (plan.steps.every(({ id }) => isSolved(at.results, id))) return synthesise(plan);
    return { ...ending(waiting(at, exhausted)), solved: at.step };
  }

  async function read(): Promise<PlanProgress> {
    charges = await retry(() => store.snapshot<PlanCharges>(claim.id));
    const records = await retry(() => store.steps<PlanRecord>(claim.id, 0, Number.MAX_SAFE_INTEGER));
    return planProgress(charges, records);
  }

  async function record(step: number, outcome: PlanRecord): Promise<boolean> {
    const recorded = await retry(() => store.record(claim, step, outcome, { inOrder: false }));
    if (recorded) control = recorded.control;
    // The response to a record may have been lost after its commit.
    else if (!(await retry(() => store.owns(claim)))) return false;
    at = await read();
    live.notify();
    return true;
  }

  /** The limit that leaves nothing for the steps that are ready, if that is why none begins. */
  function startReady(plan: Decomposition): string | undefined {
    const ready = readySteps(plan, at.results).filter(({ id }) => !running.has(id));
    if (ready.length === 0) return undefined;
    const reserved = [...running.values()].map(({ budget }) => budget);
    const allotted = allotBudget(engine.limits, at.spent, reserved, ready.length);
    if ("exhausted" in allotted) return allotted.exhausted;
    for (const step of ready.slice(0, allotted.start)) {
      const ended = solve(plan, step, allotted.budget);
      // It is awaited with the others; an abort rejects all of them.
      ended.catch(() => undefined);
      running.set(step.id, { budget: allotted.budget, ended });
    }
    return undefined;
  }

  async function solve(plan: Decomposition, step: Step, budget: Budget) {
    // What an interrupted attempt spent is known, and charged, where calls have a budget; else a step's mean is the best estimate.
    const lost = interrupted && engine.limits.max_calls === undefined ? meanCalls(at.results) : 0;
    if (interrupted) execution.metrics.onRecovered();
    const results = Object.fromEntries(step.dependencies.map((on) => [on, at.results[on]!]));
    const work = { plan, step, results, budget: withoutLost(budget, lost) };
    const result = await unlessStopping(() =>
      engine.solve(work, live.signal, execution.guard).catch(toUndecided(live.signal)),
    );
    execution.guard.settle(result.spent.calls);
    execution.metrics.onStep(result.kind === "solved");
    const spent = { ...result.spent, calls: result.spent.calls + lost };
    return { step: step.id, result: { ...result, spent } };
  }

  /** undefined: a person may have answered a step. */
  async function nextChange() {
    const waits: Promise<Awaited<RunningStep["ended"]> | undefined>[] = [...running.values()].map(
      ({ ended }) => ended,
    );
    const waited = new AbortController();
    if (undecidedSteps(at.results).length > 0)
      waits.push(
        live.changed.then(() => undefined),
        sleep(ANSWER_POLL_MS, undefined, { signal: waited.signal, ref: false }).catch(() => undefined),
      );
    try {
      const ended = await Promise.race(waits);
      if (ended) running.delete(ended.step);
      return ended;
    } finally {
      waited.abort();
    }
  }

  async function synthesise(plan: Decomposition): Promise<TaskEnd> {
    const { results, spent } = at;
    const synthesis = await unlessStopping(() =>
      engine.synthesise(plan, results, spent, live.signal, execution.guard).catch(toStepEnd(live.signal)),
    );
    if ("end" in synthesis) return ending(endOf(synthesis), synthesis);
    return ending({ status: "complete", result: synthesis.result }, synthesis);
  }

  function ending(end: Pick<TaskEnd, "status" | "error" | "result">, { spent = NO_USAGE } = {}): TaskEnd {
    return { ...end, step: 0, progress: { charged: addUsage(charges.charged, spent) } };
  }
}

/** How often a plan looks for answers that another instance has taken; those of this one are known at once. */
const ANSWER_POLL_MS = 1000;

const endOf = ({ end, reason, message }: StepEnd): Pick<TaskEnd, "status" | "error"> => ({
  status: end,
  error: { code: reason, message },
});

function withoutLost({ max_calls, ...budget }: Budget, lost: number): Budget {
  return { ...budget, max_calls: max_calls === undefined ? undefined : Math.max(1, max_calls - lost) };
}

/** A defect holds up what depends on the step, and can be seen. */
const toUndecided =
  (signal: AbortSignal) =>
  (error: unknown): PlanStepResult => {
    if (signal.aborted) throw error;
    const reason = `The step failed unexpectedly: ${error instanceof Error ? error.message : error}`;
    return { kind: "undecided", reason, spent: NO_USAGE };
  };

function meanCalls(results: PlanResults): number {
  const solved = Object.values(results).filter(({ kind }) => kind === "solved");
  const calls = solved.reduce((sum, { spent }) => sum + spent.calls, 0);
  return solved.length === 0 ? 0 : Math.round(calls / solved.length);
}

function waiting(
  { results }: PlanProgress,
  exhausted: string | undefined,
): Pick<TaskEnd, "status" | "error"> {
  const undecided = undecidedSteps(results);
  if (undecided.length === 0 && exhausted === undefined) return PAUSE_REQUESTED;
  if (undecided.length === 0)
    return paused("budget", `The task has spent its ${exhausted}. Start it again with more.`);
  const unreachable = undecided.every((id) => isUnreachable(results[id]));
  const reasons = undecided.map((id) => {
    const result = results[id];
    return `step ${id}: ${result?.kind === "undecided" ? result.reason : ""}`;
  });
  if (unreachable) return paused("transport", `The model could not be reached. ${reasons.join("; ")}`);
  return paused(
    "undecided",
    `Answer with POST /tasks/:id/steps/:n, or resume to try again. ${reasons.join("; ")}`,
  );
}

const isUnreachable = (result: PlanStepResult | undefined): boolean =>
  result?.kind === "undecided" && result.code === "transport";

const paused = (code: string, message: string) => ({ status: "paused" as const, error: { code, message } });
