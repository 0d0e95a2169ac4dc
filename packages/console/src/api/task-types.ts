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
  readonly time_left_ms: number | null;
  readonly contested: number;
  readonly usage: {
    readonly calls: number;
    readonly input_tokens: number;
    readonly output_tokens: number;
    readonly cost_usd: number | null;
  };
  /** Why it is paused or failed. */
  readonly error?: { readonly code: string; readonly message: string };
  /** JSON Schema of what a person answers an undecided step with. */
  readonly answer_schema?: unknown;
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

/** The steps of a plan, once it is decomposed. */
export interface PlanState {
  readonly steps: readonly {
    readonly id: number;
    readonly action: string;
    readonly status: "open" | "solved" | "undecided";
    readonly reason?: string;
  }[];
}

/** The steps that wait for a person, with what is known of them. */
export function undecidedSteps(task: Task): readonly { readonly step: number; readonly about?: string }[] {
  if (task.kind === "plan")
    return ((task.state as PlanState | null)?.steps ?? []).flatMap(({ id, action, status }) =>
      status === "undecided" ? [{ step: id, about: action }] : [],
    );
  return task.status === "paused" && task.error?.code === "undecided" ? [{ step: task.step + 1 }] : [];
}

export const isFinal = (status: TaskStatus) =>
  status === "complete" || status === "failed" || status === "cancelled";
