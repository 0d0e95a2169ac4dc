import {
  addUsage,
  NO_USAGE,
  type StepEnd,
  type StepOutcome,
  type StepsEngine,
  type StepsProgress,
  type StepsTaskSpec,
  spendingOf,
} from "@mci-ts/council";
import type { Execution } from "../runner/execution.ts";
import { PAUSE_REQUESTED, toStepEnd } from "../runner/task-end.ts";
import type { TaskEnd } from "../store/task-records.ts";
import { recordedProgress, SNAPSHOT_STEPS } from "./steps-progress.ts";

/**
 * (vote -record-> progress)*, from the last recorded step on
 *
 * A decided step is recorded before the next begins, and everything else is computed from the records. undefined: another execution
 * has the task.
 */
export async function runSteps(
  spec: StepsTaskSpec,
  engine: StepsEngine,
  execution: Execution<StepsProgress>,
): Promise<TaskEnd | undefined> {
  const { store, claim, live, retry, log } = execution;
  let { control, interrupted, lostCalls } = execution;
  let progress = await readProgress(execution.progress);
  for (;;) {
    const end = endIfDone(progress, spec, engine);
    if (end) return { ...end, progress, step: progress.step };
    if (control === "pause") return { ...PAUSE_REQUESTED, progress, step: progress.step };
    if (control === "move") return { status: "moved", progress, step: progress.step };
    const outcome = await vote(progress);
    if ("end" in outcome) return { ...undecidedEnd(progress, outcome), countsLost: true };
    const next = engine.apply(progress, outcome);
    const snapshot = next.step % SNAPSHOT_STEPS === 0 ? { progress: next } : {};
    const countsLost = lostCalls > 0;
    const recorded = await retry(() => store.record(claim, next.step, outcome, { ...snapshot, countsLost }));
    if (recorded) {
      lostCalls = 0;
      control = recorded.control;
      progress = next;
      live.progress = next;
      live.notify();
      continue;
    }
    // It lost the task, its answer was lost after the commit, or the database does not have the steps before.
    if (!(await retry(() => store.owns(claim)))) return undefined;
    const before = progress.step;
    progress = await readProgress(await retry(() => store.snapshot<StepsProgress>(claim.id)));
    if (progress.step > before) lostCalls = 0;
    if (progress.step < before)
      log(
        `task ${claim.id}: ${before - progress.step} recorded steps are gone; it goes on from step ${progress.step + 1}`,
        { task: claim.id },
      );
  }

  async function readProgress(from: StepsProgress): Promise<StepsProgress> {
    const read = await retry(() => recordedProgress(store, claim.id, from, engine));
    live.progress = read;
    return read;
  }

  async function vote(at: StepsProgress): Promise<StepOutcome> {
    const recovered = interrupted;
    interrupted = false;
    if (recovered) execution.metrics.onRecovered();
    // What an interrupted vote spent is known where calls have a budget; else a step's mean is the best estimate.
    const mean = recovered && at.step > 0 ? Math.round(at.spent.calls / at.step) : 0;
    const lost = engine.limits.max_calls === undefined ? mean : lostCalls;
    const from = { ...at, spent: addUsage(at.spent, { ...NO_USAGE, calls: lost }) };
    const outcome = await execution.unlessStopping(() =>
      engine.solve(from, live.signal, execution.guard).catch(toStepEnd(live.signal)),
    );
    execution.guard.settle(Number.POSITIVE_INFINITY);
    execution.metrics.onStep(!("end" in outcome));
    return lost > 0 ? { ...outcome, lost } : outcome;
  }
}

function endIfDone(progress: StepsProgress, spec: StepsTaskSpec, engine: StepsEngine) {
  try {
    if (engine.isDone(progress)) return { status: "complete" as const, result: progress.state };
  } catch (error) {
    return failed("invalid_until", `until cannot be applied: ${(error as Error).message}`);
  }
  if (progress.step < spec.max_steps) return undefined;
  return failed(
    "max_steps",
    `max_steps (${spec.max_steps}) is reached, and until is not true. Check until, or start the task with more steps.`,
  );
}

const failed = (code: string, message: string) => ({ status: "failed" as const, error: { code, message } });

/** What an undecided step cost counts too. */
function undecidedEnd(progress: StepsProgress, end: StepEnd): TaskEnd {
  return {
    status: end.end,
    error: {
      ...{ code: end.reason, message: end.message },
      ...(end.evidence ? { evidence: end.evidence } : {}),
    },
    progress: { ...progress, spent: addUsage(progress.spent, spendingOf(end)) },
    step: progress.step,
  };
}
