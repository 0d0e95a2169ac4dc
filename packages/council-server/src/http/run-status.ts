import type { RunEvent } from "../api/event-schemas.ts";
import type { RunResponse } from "../runs/live/live-run.ts";
import { retryAfterHeader, statusOf } from "./errors.ts";

/** The status under which the response of a run is sent, recorded and delivered. */
export function responseStatus(body: RunResponse["body"]): number {
  return "error" in body ? statusOf(body.error.code) : 200;
}

export function responseHeaders({ retryAfterSeconds, ageSeconds }: RunResponse): Record<string, string> {
  return {
    ...retryAfterHeader(retryAfterSeconds),
    ...(ageSeconds === undefined ? {} : { age: String(ageSeconds) }),
  };
}

/** The last event of every stream: the plain response. */
export function finalEvent(id: string, seq: number, at: number, { body }: RunResponse): RunEvent {
  const base = {
    v: 1,
    request_id: id,
    seq,
    ts: new Date(at).toISOString(),
    status: responseStatus(body),
  } as const;
  return "error" in body ? { ...base, type: "run.error", body } : { ...base, type: "run.response", body };
}
