import { ServiceError } from "../../service-error.ts";
import type { RunState } from "../../store/records.ts";
import type { RunResponse } from "../live/live-run.ts";
import { errorResponse } from "./run-response.ts";

/** The response to a run as the history has it; undefined while it is in flight. */
export function recordedResponse({ status, http_status, response }: RunState): RunResponse | undefined {
  if (http_status !== null && response !== null) return { body: response };
  return status === "interrupted" ? interruptedResponse() : undefined;
}

export function interruptedResponse(): RunResponse {
  return errorResponse(new ServiceError("interrupted", "The service stopped while this run was in flight"));
}
