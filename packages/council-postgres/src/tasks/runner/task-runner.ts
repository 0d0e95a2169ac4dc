import { AsyncLocalStorage } from "node:async_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type {
  Log,
  PlanEngine,
  StepsEngine,
  StepsProgress,
  StepsTaskSpec,
  TaskFault,
  TaskMetrics,
} from "@mci-ts/council";
import type { Database } from "../../database/database.ts";
import { runPlan } from "../plan/run-plan.ts";
import { runSteps } from "../steps/run-steps.ts";
import type { Begun } from "../store/executions.ts";
import type { RetryOptions } from "../store/outage-retry.ts";
import {
  type Claim,
  type PlanCharges,
  queueOf,
  TASK_WORKFLOW,
  type TaskEnd,
  type TaskRow,
  WAITING_QUEUE,
} from "../store/task-records.ts";
import type { TaskStore } from "../store/task-store.ts";
import { createCallGuard } from "./call-guard.ts";
import { beginQueued } from "./engine-queue.ts";
import { launchEngine } from "./launch-engine.ts";
import { type LiveTask, LiveTasks } from "./live-tasks.ts";
import { createPlacement } from "./placement.ts";
import { repeatEvery } from "./repeat-every.ts";
import { retryWhileUnavailable } from "./retry-while-unavailable.ts";
import { PAUSE_REQUESTED } from "./task-end.ts";

export interface RunnerOptions {
  readonly db: Database;
  readonly store: TaskStore;
  readonly engines: {
    steps(task: TaskRow): StepsEngine;
    plan(task: TaskRow): PlanEngine;
  };
  readonly metrics: TaskMetrics;
  readonly executorId: string;
  readonly maxTasks: number;
  readonly retry: RetryOptions;
  readonly version: number;
  /** How often each instance compares what it runs with what the engine says. */
  readonly sweepMs: number;
  readonly log: Log;
}

export interface TaskRunner {
  readonly live: LiveTasks;
  /** Chooses an instance for what waits; what this one has just stored begins sooner. */
  place(): void;
  /** Puts a paused task on the queue again, while its row is locked. */
  resume(id: string): Promise<void>;
  /** Puts a task on the queue whose workflow is over, while its row is locked. */
  rewind(id: string): Promise<void>;
  cancel(id: string): Promise<void>;
  /** The engine's part of a task. */
  remove(id: string): Promise<void>;
  /** Begins no more votes, and lets open ones finish for up to `graceMs`. */
  drain(graceMs: number): Promise<void>;
  close(): Promise<void>;
}

/**
 * DBOS: a task is one workflow, which is begun again wherever it stopped. The engine owns the queue, the status and the right to write;
 * the steps are the task's own records. There is one DBOS in a process.
 */
export async function openTaskRunner(options: RunnerOptions): Promise<TaskRunner> {
  const { db, store, executorId, version, log } = options;
  const live = new LiveTasks();
  const votes = openVotes();
  /** When a workflow that this instance owns but does not run was first seen, by the token of its owner. */
  const stranded = new Map<string, number>();
  const starting = new Set<string>();
  const ownQueue = queueOf(executorId);
  DBOS.registerWorkflow(runTask, { name: TASK_WORKFLOW, maxRecoveryAttempts: Number.MAX_SAFE_INTEGER });
  const { pool, queue } = await launchEngine(options, ownQueue);
  // Calls of the engine inside a workflow would become steps of it.
  const outside = AsyncLocalStorage.snapshot();
  const placement = createPlacement({ ...{ db, store, executorId, version, log }, metrics: options.metrics });
  const sweep = repeatEvery(look, options.sweepMs, log);
  return {
    live,
    place: () => sweep.now(),
    async resume(id) {
      await DBOS.resumeWorkflow(id, { queueName: WAITING_QUEUE });
    },
    async rewind(id) {
      await DBOS.rewindWorkflow(id, { queueName: WAITING_QUEUE });
    },
    remove: (id) => DBOS.deleteWorkflow(id),
    async cancel(id) {
      await DBOS.cancelWorkflow(id);
      live.get(id)?.abort();
    },
    async drain(graceMs) {
      await votes.stop(graceMs);
      await store.release(executorId).catch((error: Error) => log(`tasks: ${error.message}`));
    },
    async close() {
      await sweep.stop();
      await DBOS.deleteQueue(ownQueue).catch(() => undefined);
      await DBOS.shutdown({ deregister: true, workflowCompletionTimeoutMS: 0 });
      await pool.end();
    },
  };

  async function runTask(id: string): Promise<void> {
    // The engine gave it to this instance again while it still runs here: it ends once.
    await live.get(id)?.ended;
    starting.add(id);
    const begun = await retryWhileUnavailable(() => store.begin(id, executorId, version)).finally(() =>
      starting.delete(id),
    );
    if (begun === undefined) return leave(id);
    if (begun.versionBefore < version)
      log(`task ${id} goes on in this version (workflows ${begun.versionBefore} before)`, {
        level: "info",
        task: id,
      });
    const task = live.enter(begun);
    try {
      const status = await runToEnd(begun, task);
      // The engine's way to say that it rests.
      if (status === "paused" || status === "moved")
        await outside(() => retryWhileUnavailable(() => DBOS.cancelWorkflow(id)));
    } finally {
      live.leave(task);
    }
  }

  /** undefined: another execution has it. A plan that a person answers at the moment of its end goes on. */
  async function runToEnd(begun: Begun, task: LiveTask): Promise<TaskEnd["status"] | undefined> {
    const crashes = await endOfCrashes(begun);
    for (let { interrupted, lostCalls } = begun; ; interrupted = false, lostCalls = 0) {
      const end =
        crashes ?? (await execute({ ...begun, interrupted, lostCalls }, task).catch(toFailure(task)));
      if (end === undefined) return undefined;
      if (await retryWhileUnavailable(() => store.end(begun, end, options.retry))) {
        report(begun.id, end);
        return end.status;
      }
      if (!(await retryWhileUnavailable(() => store.owns(begun)))) return undefined;
    }
  }

  /** What no person asked for. The code only: the reason may quote what models answered. */
  function report(id: string, { status, step, error }: TaskEnd): void {
    if (error === undefined || error.code === PAUSE_REQUESTED.error.code) return;
    log(`task ${id} is ${status} after step ${step} (${error.code}); GET /tasks/${id} says why`, {
      task: id,
    });
  }

  /** Before anything of the task is evaluated: that may be what ended the process before, and would end one instance after another. */
  async function endOfCrashes({ id, crashed }: Begun): Promise<TaskEnd | undefined> {
    // This attempt is counted first, and forgotten when it waits for a model (`call-guard.ts`).
    const crashes = crashed ? (await retryWhileUnavailable(() => store.countCrash(id))) - 1 : 0;
    if (crashes < MAX_CRASHES) return undefined;
    const message = `The process ended or stopped responding at least ${crashes} times while it evaluated this step, so that it is not tried again. Decided steps are kept: look at the log of the instances for the reason, then fork the task.`;
    return failedAt(await retryWhileUnavailable(() => store.snapshot(id)), { code: "crashed", message });
  }

  /**
   * A task that was cancelled while it was on its way here is cancelled for the engine, too. An operator's `dbos workflow resume` reaches
   * any instance: a task of a newer version waits for one that knows it.
   */
  async function leave(id: string): Promise<void> {
    if (await retryWhileUnavailable(() => store.isCancelled(id)))
      return outside(() => retryWhileUnavailable(() => DBOS.cancelWorkflow(id)));
    const { workflow_version, instance } = await retryWhileUnavailable(() => store.find(id));
    if (workflow_version > version && instance === executorId) await outside(() => placement.enqueue(id));
  }

  async function execute(begun: Begun, task: LiveTask): Promise<TaskEnd | undefined> {
    const row = await retryWhileUnavailable(() => store.find(begun.id));
    const plan = row.spec.kind === "plan" ? options.engines.plan(row) : undefined;
    const steps = plan ? undefined : options.engines.steps(row);
    const { limits } = plan ?? steps!;
    const guard = createCallGuard({
      ...{ store, claim: begun, live: task, retry: retryWhileUnavailable, log },
      ...{ limited: limits.max_calls !== undefined, suspected: begun.crashed },
    });
    const execution = {
      ...{ guard, lostCalls: begun.lostCalls },
      ...{ store, claim: begun, live: task, log, control: begun.control, interrupted: begun.interrupted },
      ...{ metrics: options.metrics, retry: retryWhileUnavailable, unlessStopping: votes.run },
    };
    if (plan) return runPlan(plan, { ...execution, progress: row.progress as PlanCharges });
    const progress = row.progress as StepsProgress;
    return runSteps(row.spec as StepsTaskSpec, steps!, { ...execution, progress });
  }

  /** A defect fails the task, so that it can be seen; what was aborted is not this execution's to end. */
  function toFailure({ signal, claim, progress }: LiveTask) {
    return async (error: unknown): Promise<TaskEnd | undefined> => {
      if (signal.aborted) return undefined;
      const reason = error instanceof Error ? error.message : String(error);
      const message = `The task ended unexpectedly: ${reason}. What is recorded is kept: fork it to go on from there.`;
      log(`task ${claim.id}: ${message}`, { level: "error", task: claim.id });
      const stored = await retryWhileUnavailable(() => store.snapshot(claim.id));
      return failedAt(progress ?? stored, { code: "internal", message });
    };
  }

  async function look(): Promise<void> {
    // What begins while the answer is on its way is not part of it.
    const running = live.all();
    const { owned, hasQueued, needsPlacement } = await store.placement.look(db, executorId);
    // What fails in one of them does not keep the other from its work.
    const done = await Promise.allSettled([
      lookAfterOwn(owned, running),
      needsPlacement ? placement.run() : undefined,
    ]);
    // What was just placed here need not wait for the next look. Nothing begins in an instance that ends.
    if ((hasQueued || needsPlacement) && !votes.stopping) await beginQueued(queue);
    for (const result of done) if (result.status === "rejected") throw result.reason;
  }

  /**
   * Compares what the engine says this instance runs with what it does run. What was cancelled or given to another is aborted. What it
   * does not run, because the engine met an error that it does not retry, is begun again.
   */
  async function lookAfterOwn(owned: readonly Claim[], running: readonly LiveTask[]): Promise<void> {
    const tokens = new Set(owned.map(({ token }) => token));
    for (const task of running) if (!tokens.has(task.claim.token)) task.abort();
    const missing = owned.filter(({ id, token }) => live.get(id)?.claim.token !== token && !starting.has(id));
    for (const id of stranded.keys()) if (!missing.some((one) => one.token === id)) stranded.delete(id);
    for (const { id, token } of missing) {
      const since = stranded.get(token) ?? performance.now();
      stranded.set(token, since);
      if (performance.now() - since < STRANDED_SWEEPS * options.sweepMs) continue;
      await store.unlessCancelled([id], async () => {
        log(`task ${id} belongs to this instance but does not run: it is begun again`, { task: id });
        await DBOS.resumeWorkflow(id, { queueName: ownQueue });
      });
      if (await store.isCancelled(id)) await DBOS.cancelWorkflow(id);
    }
  }
}

const failedAt = (progress: TaskEnd["progress"], error: TaskFault): TaskEnd => ({
  status: "failed",
  error,
  progress,
  step: "step" in progress ? progress.step : 0,
});

/** How often the process may end while it evaluates one step, after it has ended there once, before the task counts as the reason. */
const MAX_CRASHES = 2;
/** A workflow that was claimed a moment ago is about to begin. */
const STRANDED_SWEEPS = 2;

/** Votes in flight. Once stopped, none begins and none ends: a step that is not recorded is voted on by another instance. */
function openVotes() {
  const open = new Set<Promise<unknown>>();
  let stopping = false;
  const never = new Promise<never>(() => {});
  return {
    get stopping() {
      return stopping;
    },
    async run<T>(vote: () => Promise<T>): Promise<T> {
      if (stopping) return never;
      const work = vote();
      open.add(work);
      try {
        return await work;
      } finally {
        open.delete(work);
      }
    },
    async stop(graceMs: number): Promise<void> {
      stopping = true;
      if (open.size === 0 || graceMs === 0) return;
      await Promise.race([Promise.allSettled(open), sleep(graceMs, undefined, { ref: false })]);
      await sleep(RECORD_MS);
    },
  };
}

/** Until the last votes are recorded. */
const RECORD_MS = 200;
