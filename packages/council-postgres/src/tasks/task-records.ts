import type {
  Decomposition,
  PlanStepResult,
  StepRecord,
  StepsProgress,
  TaskFault,
  TaskUsage,
} from "@mci-ts/council";

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
  readonly error?: TaskFault;
  /** The progress counts the calls of executions that ended without a word. */
  readonly countsLost?: boolean;
  /** Of a plan: the results it knows. When a person has added one since, it does not end. */
  readonly solved?: number;
}
