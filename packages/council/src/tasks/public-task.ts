import type { StepEvidence } from "./step-record.ts";
import type { TaskSpec } from "./task-spec.ts";
import type { TaskStatus } from "./task-status.ts";
import type { TaskUsage } from "./usage.ts";

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
