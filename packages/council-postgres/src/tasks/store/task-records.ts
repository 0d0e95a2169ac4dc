import type {
  Decomposition,
  PlanStepResult,
  StepEvidence,
  StepRecord,
  StepsProgress,
  TaskFault,
  TaskSpec,
  TaskStatus,
  TaskUsage,
} from "@mci-ts/council";

/** The name of the one workflow; its only argument is the id of the task, which is its own id too. */
export const TASK_WORKFLOW = "task";

/** The name of the workflow that the engine begins at each time of a schedule. */
export const SCHEDULE_WORKFLOW = "schedule";

/** Tasks wait here until an instance is chosen for them. No instance listens to this queue. */
export const WAITING_QUEUE = "tasks";

/** Each instance has a queue of its own, so that its limit is its own and what it gets is chosen (`placement.ts`). */
export const queueOf = (instance: string): string => `${WAITING_QUEUE}.${instance}`;

/** A step may take as long as its deadline says, as in a request; then the database has a while to record it. */
export const DEFAULT_DEADLINE_MS = 300_000;
export const RECORD_MS = 30_000;

/** A task as it is stored, with the status of its workflow. */
export interface TaskRow {
  readonly id: string;
  readonly kind: TaskSpec["kind"];
  readonly name: string | null;
  readonly spec: TaskSpec;
  readonly status: TaskStatus;
  /** What a person or the placement wants of the running task; `moved`: it has left its instance and goes on at another. */
  readonly control: "pause" | "move" | "moved" | null;
  /** The last recorded step. */
  readonly step: number;
  /** The newest snapshot of a task of steps; later steps are added to it. */
  readonly progress: StepsProgress | PlanCharges;
  readonly rate: number;
  /** How long a running task has not recorded anything. */
  readonly idle_ms: number | null;
  readonly result: unknown;
  readonly error: StoredFault | null;
  /** When a paused task resumes by itself. */
  readonly retry_at: Date | null;
  /** How often it has done so since its last decided step. */
  readonly retries: number;
  readonly forked_from: string | null;
  readonly fork_step: number | null;
  /** The name of the schedule that started it. */
  readonly schedule: string | null;
  /** Whose it is; null: it belongs to the service. */
  readonly subject: string | null;
  /** The instance at work. */
  readonly instance: string | null;
  /** Since when it has it. */
  readonly running_since: Date | null;
  readonly workflow_version: number;
  readonly created_at: Date;
  readonly started_at: Date | null;
  readonly ended_at: Date | null;
}

/** Why a task is paused or failed; of an undecided step also what a person needs to see to decide it. */
interface StoredFault extends TaskFault {
  readonly evidence?: StepEvidence;
}

/** One execution of a task. What it writes is refused once the engine has given the task to another, or cancelled it. */
export interface Claim {
  readonly id: string;
  /** The engine's own token of ownership. */
  readonly token: string;
}

/** A recorded step. */
export interface StoredStep<Record = StepRecord> {
  readonly step: number;
  readonly record: Record;
}

/** Step 0 of a plan is its decomposition, the others are its steps under their own numbers. */
export type PlanRecord = PlannedRecord | PlanStepResult;
export interface PlannedRecord {
  readonly plan: Decomposition;
  readonly spent: TaskUsage;
}

/** What a plan stores beside its records: what undecided attempts cost that were repeated or answered since. */
export interface PlanCharges {
  readonly charged: TaskUsage;
}

/** How an execution ended. */
export interface TaskEnd {
  readonly status: "paused" | "moved" | "complete" | "failed";
  /** Where the task stands now, and after which recorded step that is. */
  readonly progress: StepsProgress | PlanCharges;
  readonly step: number;
  readonly result?: unknown;
  readonly error?: StoredFault;
  /** The progress counts the calls of executions that ended without a word. */
  readonly countsLost?: boolean;
  /** How many results a plan has. When a person has added one since, it does not end. */
  readonly solved?: number;
}

/**
 * For a transaction that holds a task while the engine does something with it over a connection of its own, in several statements: over
 * a slow network, or on a busy machine, that takes seconds. The transaction of an instance that stands still is ended by then, with all
 * of its connections.
 */
export const WHILE_ENGINE_WORKS = { idleTimeoutMs: 10_000 };
