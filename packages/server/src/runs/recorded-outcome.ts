import { HttpError } from "../http/errors.ts";
import type { RunState } from "../store/records.ts";
import type { Outcome } from "./live-run.ts";

/** The outcome of a run as the history has it; undefined while it is in flight. */
export function recordedOutcome({ status, http_status, response }: RunState): Outcome | undefined {
  if (http_status !== null) return { status: http_status, body: response as Outcome["body"] };
  return status === "interrupted" ? interruptedOutcome() : undefined;
}

export function interruptedOutcome(): Outcome {
  const error = new HttpError("interrupted", "The service stopped while this run was in flight");
  return { status: error.status, body: error.body };
}
