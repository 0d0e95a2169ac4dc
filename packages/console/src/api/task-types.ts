/** Long tasks as the service answers, as far as the console reads them. */

export type TaskStatus = "queued" | "running" | "paused" | "complete" | "failed" | "cancelled";

export interface Task {
  readonly id: string;
  readonly kind: "steps" | "plan";
  readonly name: string | null;
  readonly status: TaskStatus;
  /** Decided steps. */
  readonly step: number;
  /** Of `steps`: how many there may be; of `plan`: how many there are, once that is known. */
  readonly steps: number | null;
  readonly state: unknown;
  readonly result?: unknown;
  /** Steps per second, of late. */
  readonly rate: number;
  readonly contested: number;
  readonly usage: {
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number | null;
  };
  /** Why it is paused or failed. */
  readonly error?: { readonly code: string; readonly message: string };
  readonly forked_from?: { readonly id: string; readonly step: number };
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
}

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
}

export interface TaskStep {
  readonly step: number;
  readonly answer: unknown;
  /** Valid votes by answer. */
  readonly votes: Readonly<Record<string, number>>;
  readonly calls: number;
  readonly cost_usd: number | null;
  readonly red_flagged: number;
  /** Every reply, where they differed or were flagged. */
  readonly samples?: string;
  readonly by?: "person";
}

export interface TaskStepPage {
  readonly steps: readonly TaskStep[];
  readonly next: number | null;
}

export const isFinal = (status: TaskStatus) =>
  status === "complete" || status === "failed" || status === "cancelled";
