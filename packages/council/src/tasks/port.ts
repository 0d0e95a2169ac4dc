import type { Budget } from "../request-config.ts";
import type { Decomposition, Step } from "../result.ts";
import type { PlanResults, PlanStepResult } from "./plan.ts";
import type { StepEnd, StepEvidence, StepOutcome, StepsProgress } from "./step-record.ts";
import type { StepsTask } from "./steps-task.ts";
import type { TaskSchedules } from "./task-schedule.ts";
import type { PlanTaskSpec, StepsTaskSpec, TaskSpec } from "./task-spec.ts";
import type { BulkAction, TaskStatus } from "./task-status.ts";
import type { TaskUsage } from "./usage.ts";

/*
 * Two ports: what the execution of tasks needs of the council, and what a service gets of the execution. The package that stores and
 * runs tasks is installed only where it is needed, so neither side imports the other.
 */

/**
 * The port to the council: what tasks need of it. The service hands it in, so that this package holds no second copy of the engine
 * and knows no provider.
 */
export interface TaskEngine {
  /** The checked task; throws what the service reports as a bad request. */
  check(value: unknown): Promise<TaskSpec>;
  /** `subject`: whose task it is, behind an issuer. */
  steps(spec: StepsTaskSpec, subject?: string): StepsEngine;
  plan(spec: PlanTaskSpec, subject?: string): PlanEngine;
}

/** What is done around every call of a task: by whatever runs it, which records what is open. */
export interface CallGuard {
  /** Runs before the call; the call is not made if this rejects. */
  before(): Promise<void>;
  /** Runs after the call, before its reply is evaluated. */
  after(): Promise<void>;
}

export interface StepsEngine extends Omit<StepsTask, "solve"> {
  /** Votes on the next step. Rejects when the signal aborts. */
  solve(progress: StepsProgress, signal: AbortSignal, guard?: CallGuard): Promise<StepOutcome>;
}

/** `Call` is what each call is given: a signal here, the options of the engine where it is compiled (`plan-task.ts`). */
export interface PlanEngine<Call = AbortSignal> {
  /** The budget of the whole task. */
  readonly limits: Budget;
  /** A decomposition that was voted on. Rejects when the call is aborted. */
  decompose(spent: TaskUsage, call: Call, guard?: CallGuard): Promise<PlannedOutcome>;
  /** Solves one step with the results of those it depends on. */
  solve(work: PlanWork, call: Call, guard?: CallGuard): Promise<PlanStepResult>;
  /** Puts the results together. */
  synthesise(
    plan: Decomposition,
    results: PlanResults,
    spent: TaskUsage,
    call: Call,
    guard?: CallGuard,
  ): Promise<SynthesisOutcome>;
  /** A person's answer as a result; throws what the service reports as a bad request. */
  answerOf(answer: unknown): PlanStepResult;
}

export interface PlanWork {
  readonly plan: Decomposition;
  readonly step: Step;
  /** The results of its dependencies. */
  readonly results: PlanResults;
  /** Its part of what the task has left. */
  readonly budget: Budget;
}

export type PlannedOutcome = { readonly plan: Decomposition; readonly spent: TaskUsage } | StepEnd;
export type SynthesisOutcome = { readonly result: string; readonly spent: TaskUsage } | StepEnd;

/** What is counted. */
export interface TaskMetrics {
  onStep(decided: boolean): void;
  /** A step was voted on again, because the instance that was at it is gone. */
  onRecovered(): void;
  /** Steps that stayed undecided are tried again, because the task was resumed. */
  onRetried(steps: number): void;
  /** Tasks of an instance that is gone were given to others. */
  onTakenOver(tasks: number): void;
}

/** A task as its users see it. */
export interface TaskView {
  readonly id: string;
  readonly kind: TaskSpec["kind"];
  readonly name: string | null;
  /** Its name; without one the first words of what it asks. */
  readonly title: string;
  readonly status: TaskStatus;
  /** Decided steps. */
  readonly step: number;
  /** How many there may be (`steps`), or there are, once that is known (`plan`). */
  readonly steps: number | null;
  readonly state: unknown;
  readonly result?: unknown;
  /** Steps per second, of late; 0 while it rests. */
  readonly rate: number;
  /** At this rate until all `steps` are done; null where that is not known. */
  readonly time_left_ms: number | null;
  /** Steps whose votes differed; always 0 of a plan. */
  readonly contested: number;
  /** The instance that runs it. */
  readonly instance?: string;
  /** Since when that instance has it; null: it has not begun. */
  readonly running_since?: string | null;
  /** It runs, but has recorded nothing for so long: longer than one of its steps may take. */
  readonly stalled_ms?: number;
  readonly usage: TaskUsage;
  /** Why it is paused or failed. */
  readonly error?: TaskFault;
  /** When a paused task whose provider could not be reached resumes by itself. */
  readonly retry_at?: string;
  /** How often it has done so since its last decided step. */
  readonly retries?: number;
  /** JSON Schema of what a person answers an undecided step with. Lists leave it out. */
  readonly answer_schema?: unknown;
  /** The steps that wait for a person, with what the models were asked and replied. Lists leave it out. */
  readonly undecided?: readonly UndecidedStep[];
  readonly forked_from?: { readonly id: string; readonly step: number };
  /** The name of the schedule that started it. */
  readonly schedule?: string;
  /** Whose it is, behind an issuer. */
  readonly subject?: string;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

/** A step that no answer won. */
export interface UndecidedStep extends StepEvidence {
  readonly step: number;
}

/** One decided step as its users see it. */
export interface StepView {
  readonly step: number;
  readonly answer: unknown;
  /** Valid votes by answer. */
  readonly votes: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost_usd: number | null;
  readonly red_flagged: number;
  readonly k?: number;
  /** Every reply, where they differed or were flagged. */
  readonly samples?: string;
  readonly by?: "person";
  /** When the step of a plan came: they are not solved in the order of their numbers. */
  readonly order?: number;
}

export interface StripRange {
  /** The first and the last step. Default: all that are decided. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Parts at most. */
  readonly parts: number;
}

export interface TaskStrip {
  readonly from: number;
  readonly to: number;
  /** Steps of one part; the last may have fewer. */
  readonly size: number;
  readonly parts: readonly {
    readonly from: number;
    readonly to: number;
    readonly contested: number;
    /** When its first step was decided; null: its record is gone. */
    readonly decided_at: string | null;
  }[];
}

/** Why a task is paused or failed. */
export interface TaskFault {
  readonly code: string;
  readonly message: string;
}

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
