import type { Log, TaskMetrics } from "@mci-ts/council";
import type { Claim, TaskRow } from "../store/task-records.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { TaskCallGuard } from "./call-guard.ts";
import type { LiveTask } from "./live-tasks.ts";
import type { retryWhileUnavailable } from "./retry-while-unavailable.ts";

/** What one execution of a task gets. */
export interface Execution<Progress> {
  readonly store: TaskStore;
  readonly claim: Claim;
  readonly live: LiveTask;
  /** The newest snapshot. */
  readonly progress: Progress;
  readonly control: TaskRow["control"];
  /** The execution before this one never ended. */
  readonly interrupted: boolean;
  /** Calls of such executions that no record counts yet; known where the task has a budget of calls. */
  readonly lostCalls: number;
  readonly guard: TaskCallGuard;
  readonly metrics: TaskMetrics;
  readonly retry: typeof retryWhileUnavailable;
  /** Does nothing, and never resolves, once the process stops: another instance goes on. */
  readonly unlessStopping: <T>(vote: () => Promise<T>) => Promise<T>;
  readonly log: Log;
}
