import type { TaskEngine, TaskMetrics } from "./engine-port.ts";
import type { StepView, StripRange, TaskStrip, TaskView } from "./public-task.ts";
import type { TaskSchedules } from "./task-schedule.ts";
import type { BulkAction, TaskStatus } from "./task-status.ts";

/*
 * What a service gets of the execution of tasks; what that needs of the council is in `engine-port.ts`. The package that stores and
 * runs tasks is installed only where it is needed, so neither side imports the other.
 */

/** Which tasks. Default: all. */
export interface TaskQuery {
  readonly status?: TaskStatus | undefined;
  /** Only those of this subject. */
  readonly subject?: string | undefined;
  /** Words of the name, each as the beginning of one. */
  readonly name?: string | undefined;
  /** Only those in which a step waits for the answer of a person. Default: all. */
  readonly waiting?: boolean | undefined;
}

export interface TaskFilter extends TaskQuery {
  readonly limit: number;
  /** After the task with this id. */
  readonly after?: string | undefined;
}

/** What became of an action on many tasks. */
export interface BulkResult {
  readonly action: BulkAction;
  /** Tasks that took it. */
  readonly done: number;
  /** Those whose status does not allow it, with the reason. */
  readonly refused: readonly { readonly id: string; readonly message: string }[];
  /** Whether the filter names more tasks: send it again with `next_cursor`, if that is not null. */
  readonly more: boolean;
  readonly next_cursor: string | null;
}

/** The end of a task that a receiver is to be told of. */
export interface TaskWebhook {
  readonly url: string;
  /** Attempts that failed so far. */
  readonly attempts: number;
  readonly task: TaskView;
}

/** null: it is done with, delivered or not. */
export type DeliverTaskWebhook = (webhook: TaskWebhook) => Promise<{ readonly retryMs: number | null }>;

/** What people do with a task. One that its status does not allow is refused with what is possible. */
export interface TaskActions {
  /** After the open step. Waits a moment for it. */
  pause(id: string): Promise<TaskView>;
  /** Goes on with the step that was not decided. */
  resume(id: string): Promise<TaskView>;
  /** As `resume`; one that failed goes on after its last decided step. */
  retry(id: string): Promise<TaskView>;
  /** With its steps. One that is in flight must be paused or cancelled first. */
  delete(id: string): Promise<void>;
  /** Aborts every call at once. */
  cancel(id: string): Promise<TaskView>;
  /** A new task that takes over the steps before `step` and goes on from there. */
  fork(id: string, step: number): Promise<TaskView>;
  /** A person's answer to the step at which a task is paused, or to an undecided step of a plan while others run. */
  answer(id: string, step: number, answer: unknown): Promise<TaskView>;
}

/** Requests with the same key create one task, whatever instances get them. */
export interface IdempotencyKey {
  readonly key: string;
  /** Equal for equal requests: another request under the same key is refused. */
  readonly fingerprint: string;
}

export interface CreatedTask extends TaskView {
  /** It was created by an earlier request with the same key. */
  readonly replayed: boolean;
}

export interface TaskCounts extends Partial<Record<TaskStatus, number>> {
  /** Tasks that run, but have recorded nothing for longer than a step may take. */
  readonly stalled?: number;
  /** The longest time since a running task recorded anything. */
  readonly idleSeconds?: number;
  /** The longest wait of a task in the queue. */
  readonly queuedSeconds?: number;
  /** Ends of tasks that their receivers have not been told of yet. */
  readonly webhooks?: number;
}

/** Long tasks on PostgreSQL. Any instance takes any of these calls. */
export interface Tasks extends TaskActions {
  readonly schedules: TaskSchedules;
  /** Stores the task, then starts it. With a key that was used before: the task that was created then. */
  create(value: unknown, once?: IdempotencyKey, subject?: string): Promise<CreatedTask>;
  get(id: string): Promise<TaskView>;
  /** Newest first. */
  list(filter: TaskFilter): Promise<TaskView[]>;
  count(query: TaskQuery): Promise<number>;
  /** Takes an action on these tasks, or on one page of those that a filter names. */
  bulk(action: BulkAction, which: readonly string[] | TaskFilter): Promise<BulkResult>;
  /** Decided steps from the one with this number. */
  steps(id: string, from: number, limit: number): Promise<StepView[]>;
  /** A task of steps as a strip: parts of equal length, each with how many of its steps were contested. None of a plan. */
  strip(id: string, range: StripRange): Promise<TaskStrip>;
  /** Follows a task until the signal aborts. Begin before the first read, so that no change is missed. */
  watch(id: string, signal: AbortSignal): TaskWatch;
  /** Counts tasks that are not over. */
  counts(): Promise<TaskCounts>;
  /** Lets open votes finish for up to `graceMs`; what is left is continued by the next instance. */
  close(graceMs?: number): Promise<void>;
}

/** The tasks of a running service. */
export interface TaskInstance extends Tasks {
  /** Aborted when others have declared this instance dead: it must close, and may open again under another id. */
  readonly lost: AbortSignal;
  readonly stats: InstanceStats;
}

/** What one instance has seen of the others and of its connections to the database. */
export interface InstanceStats {
  /** Instances that it declared dead. */
  readonly declaredDead: number;
  /** Statements that wait for a free connection. */
  readonly poolWaiting: number;
}

export interface TaskWatch {
  /** Resolves when the task may have changed since the last time: at once where it runs here, else about a second later; and after `waitMs`. */
  changed(waitMs: number): Promise<void>;
}

/** What an entry of the log is about. */
export interface LogFields {
  /** Default `warn`: most entries report a problem. */
  readonly level?: "info" | "warn" | "error";
  readonly run?: string;
  readonly task?: string;
}

/** Writes an entry for operators. */
export type Log = (message: string, fields?: LogFields) => void;

export interface TaskServiceOptions {
  readonly engine: TaskEngine;
  readonly metrics: TaskMetrics;
  /** The name of this process in the log; the id of its lease begins with it. Default: one of its own. */
  readonly instance?: string | undefined;
  /** The database that instances share. Default: an embedded one in `dataDir`. */
  readonly databaseUrl?: string;
  /** How long to wait for a server that is starting or down. Default 0. */
  readonly databaseWaitMs?: number;
  readonly dataDir?: string;
  /** As whom the embedded one runs if this process is root. Default: the owner of its files, or `nobody`. */
  readonly postgresUser?: string;
  /** Tasks that run here side by side. */
  readonly maxTasks: number;
  /** How often a task whose provider cannot be reached resumes by itself; 0: never. */
  readonly taskRetries?: number;
  /** Days that tasks stay after their end. Default: all are kept. */
  readonly taskRetentionDays?: number | undefined;
  /** Default: nothing is delivered. */
  readonly deliverWebhook?: DeliverTaskWebhook;
  readonly log: Log;
}
