import type { PlanState, Task } from "@mci-ts/council-server/api";

/** The steps that wait for a person, with what is known of them. */
export function undecidedSteps(task: Task): readonly { readonly step: number; readonly about?: string }[] {
  if (task.kind === "plan")
    return ((task.state as PlanState | null)?.steps ?? []).flatMap(({ id, action, status }) =>
      status === "undecided" ? [{ step: id, about: action }] : [],
    );
  return task.status === "paused" && task.error?.code === "undecided" ? [{ step: task.step + 1 }] : [];
}

/** As in the engine, of which the page has only types. */
export const isFinal = (status: Task["status"]) =>
  status === "complete" || status === "failed" || status === "cancelled";
