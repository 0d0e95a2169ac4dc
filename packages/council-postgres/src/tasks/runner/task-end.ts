import { NO_USAGE, type StepEnd } from "@mci-ts/council";
import type { TaskEnd } from "../store/task-records.ts";

type Reason = Pick<TaskEnd, "status" | "error">;

export const PAUSE_REQUESTED = {
  status: "paused",
  error: { code: "requested", message: "Paused on request." },
} as const satisfies Reason;

/** A defect ends the task rather than its workflow, so that it can be seen. */
export const toStepEnd =
  (signal: AbortSignal) =>
  (error: unknown): StepEnd => {
    if (signal.aborted) throw error;
    const message = `The step failed unexpectedly: ${error instanceof Error ? error.message : error}`;
    return { end: "failed", reason: "internal", message, spent: NO_USAGE };
  };
