import type { StepView, TaskStatus, TaskView } from "@mci-ts/council";

/** Long tasks as the service sends them: the types are the engine's own. */
export type Task = TaskView;
export type TaskStep = StepView;

export interface TaskPage {
  readonly tasks: readonly Task[];
  readonly next_cursor: string | null;
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

/** As in the engine, of which the page takes only types. */
export const isFinal = (status: TaskStatus) =>
  status === "complete" || status === "failed" || status === "cancelled";
