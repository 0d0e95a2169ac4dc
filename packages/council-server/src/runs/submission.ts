import type { LiveRun, RunResponse } from "./live/live-run.ts";

/** A run as its client sees it: in flight, or finished before under the same idempotency key. */
export interface Submission {
  readonly id: string;
  readonly response: Promise<RunResponse>;
  /** Absent when the response is a replay. */
  readonly live?: LiveRun;
  /** Another instance executes the run. */
  readonly remote?: boolean;
  /** The response is that of an earlier, equal request. */
  readonly cached?: boolean;
}
