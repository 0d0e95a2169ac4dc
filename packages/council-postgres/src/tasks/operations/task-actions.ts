import { setTimeout as sleep } from "node:timers/promises";
import {
  nextStatus,
  type PlanEngine,
  type PlanStepResult,
  refusal,
  type StepsEngine,
  type StepsProgress,
  type TaskAction,
  type TaskActions,
  type TaskMetrics,
  type TaskView,
} from "@mci-ts/council";
import {
  chargeFor,
  inSequence,
  NO_CHARGES,
  type PlanProgress,
  recordsWithout,
  requireUndecided,
} from "../plan/plan-progress.ts";
import { PAUSE_REQUESTED } from "../runner/task-end.ts";
import type { TaskRunner } from "../runner/task-runner.ts";
import type { TaskChange } from "../store/changes.ts";
import type { PlanCharges, TaskRow } from "../store/task-records.ts";
import { newTaskId, type TaskStore } from "../store/task-store.ts";
import { TaskError } from "../task-error.ts";

export interface ActionDependencies {
  readonly store: TaskStore;
  readonly runner: TaskRunner;
  readonly engines: { steps(task: TaskRow): StepsEngine; plan(task: TaskRow): PlanEngine };
  readonly metrics: TaskMetrics;
  readonly progressOf: (row: TaskRow) => Promise<StepsProgress | PlanProgress>;
  readonly get: (id: string) => Promise<TaskView>;
  readonly version: number;
}

export interface InternalActions extends TaskActions {
  /** As `pause`, without waiting for the open step. */
  requestPause(id: string): Promise<void>;
  /** Resumes tasks whose provider could not be reached when they paused, once their time has come. */
  retryAfterOutages(): Promise<void>;
}

/** What people do with a task: a change of its row and a call of the engine, which has the status. */
export function createTaskActions(deps: ActionDependencies): InternalActions {
  const { store, runner, engines, metrics, progressOf, get } = deps;
  const actions: InternalActions = {
    async pause(id) {
      await requestPause(id);
      const task = await settled(id);
      // What was asked for has happened: a later resume of the workflow must not pause it again.
      if (task.status === "paused") await store.change(id, (row, change) => change.clearControl(row));
      return task;
    },
    async resume(id) {
      await resumePaused(id, async (row, change) => {
        requireAllowed(row, "resume");
        await change.clearRetry();
        return row.status === "paused";
      });
      return get(id);
    },
    async retry(id) {
      requireAllowed(await atRest(id), "retry");
      const { status } = await store.change(id, async (row, change) => {
        requireAllowed(row, "retry");
        if (row.status !== "failed") return row;
        if (row.instance !== null)
          throw new TaskError(
            "task_conflict",
            "The task is about to end; send the request again in a moment",
          );
        await change.reopen();
        await change.clearRetry();
        await putOnQueue(change, () => runner.rewind(id));
        return row;
      });
      if (status !== "failed") return actions.resume(id);
      runner.place();
      return get(id);
    },
    async delete(id) {
      requireAllowed(await atRest(id), "delete");
      // A request that resumes it meanwhile waits for the row, and finds it gone: no workflow is left without a task.
      const remove = async (row: TaskRow, change: TaskChange) => {
        requireAllowed(row, "delete");
        await runner.remove(id);
        await change.remove();
      };
      await store.change(id, remove, { queryTimeoutMs: REMOVE_TIMEOUT_MS });
    },
    requestPause,
    async retryAfterOutages() {
      for (const id of await store.dueRetries(MAX_RETRIED))
        await resumePaused(id, async ({ status, retry_at }) => status === "paused" && retry_at !== null);
    },
    async cancel(id) {
      requireAllowed(await store.find(id), "cancel");
      await runner.cancel(id);
      await store.change(id, (_, change) => change.setCancelled());
      // An instance that was placing the task may have put it back meanwhile.
      await runner.cancel(id);
      return get(id);
    },
    async fork(id, step) {
      const row = await store.find(id);
      requireAllowed(row, "fork");
      const copy = newTaskId();
      const isPlan = row.kind === "plan";
      const steps = isPlan
        ? recordsWithout((await progressOf(row)) as PlanProgress, step)
        : ("before" as const);
      if (!isPlan && (step < 1 || step > row.step + 1))
        throw new TaskError(
          "invalid_request",
          `step must be from 1 to ${row.step + 1}; it is ${step}`,
          "query.step",
        );
      await store.insert({
        id: copy,
        spec: row.spec,
        subject: row.subject ?? undefined,
        progress: isPlan ? NO_CHARGES : engines.steps(row).start(),
        workflowVersion: deps.version,
        forkedFrom: { id, step, steps },
      });
      runner.place();
      return get(copy);
    },
    async answer(id, step, answer) {
      const status = await store.change(id, async (row, change) => {
        requireAllowed(row, "answer");
        if (row.status === "running" && row.error !== null)
          throw new TaskError(
            "task_conflict",
            "The task is about to pause; send the answer again in a moment",
          );
        const at = await progressOf(row);
        if (row.kind === "plan") {
          const result = engines.plan(row).answerOf(answer);
          const replaced = requireUndecided(at as PlanProgress, step);
          await change.setProgress(chargeFor(row.progress as PlanCharges, [replaced]));
          await change.putStep(step, inSequence(at as PlanProgress, result));
        } else {
          requirePausedAt(row, step);
          await change.putStep(step, engines.steps(row).answerOf(at as StepsProgress, answer));
        }
        if (row.status === "paused") {
          await change.setControl(null);
          await putOnQueue(change, () => runner.resume(id));
        }
        return row.status;
      });
      if (status === "paused") runner.place();
      else runner.live.get(id)?.notify();
      return get(id);
    },
  };
  return actions;

  /** After the step that is open. One that waits in the queue is paused at once. */
  async function requestPause(id: string): Promise<void> {
    const before = await store.change(id, async (row, change) => {
      requireAllowed(row, "pause");
      await change.clearRetry();
      if (row.status === "paused") return row.status;
      await change.setControl("pause");
      if (row.status === "queued") await change.setError(PAUSE_REQUESTED.error);
      return row.status;
    });
    if (before !== "queued") return;
    // An instance that was placing the task may have put it back meanwhile.
    for (let status: TaskRow["status"] = before; status === "queued"; ) {
      await runner.cancel(id);
      status = await store.change(id, async (row, change) => {
        await change.clearControl(row);
        return row.status;
      });
    }
  }

  /** The end of a task is recorded a moment before the engine knows of it. */
  async function atRest(id: string): Promise<TaskRow> {
    const deadline = performance.now() + PAUSE_WAIT_MS;
    for (;;) {
      const row = await store.find(id);
      const isEnding = row.instance !== null && row.status !== "running";
      if (!isEnding || performance.now() > deadline) return row;
      await sleep(PAUSE_POLL_MS);
    }
  }

  async function resumePaused(
    id: string,
    mayResume: (row: TaskRow, change: TaskChange) => Promise<boolean>,
  ): Promise<void> {
    const isPaused = await store.change(id, async (row, change) => {
      if (!(await mayResume(row, change))) return false;
      await change.setControl(null);
      const undecided = row.kind === "plan" ? undecidedOf(await progressOf(row)) : [];
      if (undecided.length > 0) {
        await change.setProgress(
          chargeFor(row.progress as PlanCharges, Object.values(Object.fromEntries(undecided))),
        );
        await change.deleteSteps(undecided.map(([step]) => step));
      }
      if (row.error?.code !== "requested") metrics.onRetried(Math.max(1, undecided.length));
      await putOnQueue(change, () => runner.resume(id));
      return true;
    });
    if (isPaused) runner.place();
  }

  /**
   * While the row is locked, so that no other action comes between the change and the call of the engine. Placement waits for the row. If
   * the change is not committed, a task that failed ends again as it was, and a paused one has been resumed.
   */
  async function putOnQueue(change: TaskChange, again: () => Promise<void>): Promise<void> {
    const status = await change.workflowStatus();
    if (status === undefined) await change.enqueue();
    else if (status !== "ENQUEUED") await again();
  }

  /** Waits a moment for the step that a task is at. */
  async function settled(id: string): Promise<TaskView> {
    const deadline = performance.now() + PAUSE_WAIT_MS;
    for (;;) {
      const task = await get(id);
      if (task.status !== "running" || performance.now() > deadline) return task;
      await Promise.race([runner.live.get(id)?.ended, sleep(PAUSE_POLL_MS)]);
    }
  }
}

function requireAllowed({ status }: TaskRow, action: TaskAction): void {
  if (!nextStatus(status, action)) throw new TaskError("task_conflict", refusal(status, action));
}

function requirePausedAt({ status, step: last }: TaskRow, step: number): void {
  if (status !== "paused")
    throw new TaskError("task_conflict", `The task is ${status}: there is no undecided step to answer`);
  if (step !== last + 1)
    throw new TaskError("task_conflict", `The task is paused at step ${last + 1}, not at step ${step}`);
}

function undecidedOf(progress: StepsProgress | PlanProgress): [number, PlanStepResult][] {
  if (!("results" in progress)) return [];
  return Object.entries(progress.results).flatMap(([step, result]) =>
    result.kind === "undecided" ? [[Number(step), result]] : [],
  );
}

/** A step of a slow model may take longer: then the task is still shown as running, and pauses after it. */
const PAUSE_WAIT_MS = 5000;
const PAUSE_POLL_MS = 200;
/** So many are retried at once, the others a moment later. */
const MAX_RETRIED = 100;
/** A task may have a million steps. */
const REMOVE_TIMEOUT_MS = 10 * 60_000;
