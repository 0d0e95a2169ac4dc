/** Where a task can be. `paused` waits for a person; the last three are final. */
export const TASK_STATUSES = ["queued", "running", "paused", "complete", "failed", "cancelled"] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

/** Why a task waits. */
export type PauseReason =
  /** A person asked for it. */
  | "requested"
  /** A step could not be decided. */
  | "undecided"
  /** What the task, or the service today, may spend is spent. */
  | "budget"
  /** The model could not be reached. */
  | "transport";

export type TaskAction = "pause" | "resume" | "retry" | "cancel" | "fork" | "answer" | "delete";

/** What can be done with many tasks at once. */
export const BULK_ACTIONS = ["pause", "resume", "retry", "cancel", "delete"] as const satisfies TaskAction[];
export type BulkAction = (typeof BULK_ACTIONS)[number];

/** What an action makes of a task; undefined where it cannot be taken. Repeating one that has been taken changes nothing. */
export function nextStatus(status: TaskStatus, action: TaskAction): TaskStatus | undefined {
  return TRANSITIONS[action][status];
}

const TRANSITIONS: Readonly<Record<TaskAction, Partial<Record<TaskStatus, TaskStatus>>>> = {
  pause: { queued: "paused", running: "paused", paused: "paused" },
  resume: { queued: "queued", running: "running", paused: "queued" },
  // Goes on after the last decided step.
  retry: { queued: "queued", running: "running", paused: "queued", failed: "queued" },
  cancel: { queued: "cancelled", running: "cancelled", paused: "cancelled", cancelled: "cancelled" },
  // The new task starts; the old one stays as it is.
  fork: { running: "queued", paused: "queued", complete: "queued", failed: "queued", cancelled: "queued" },
  answer: { queued: "queued", running: "running", paused: "queued" },
  // It is gone then; one that is in flight must be cancelled or paused first.
  delete: { paused: "paused", complete: "complete", failed: "failed", cancelled: "cancelled" },
};

export const isFinal = (status: TaskStatus): boolean =>
  status === "complete" || status === "failed" || status === "cancelled";

/** Why an action cannot be taken, and what can be done instead. */
export function refusal(status: TaskStatus, action: TaskAction): string {
  const possible = (Object.keys(TRANSITIONS) as TaskAction[]).filter((one) => nextStatus(status, one));
  const instead = possible.length === 0 ? "" : ` Possible now: ${possible.join(", ")}.`;
  return `The task is ${status}, so it cannot take "${action}".${instead}`;
}
