import { ToolError } from "../../errors.ts";
import type { Clock } from "../retry.ts";

/** One clock for everything a call does: connecting, redirects, tokens, waits between tries, the body. */
export interface Deadline extends Clock {
  /** Aborts at the deadline and when the caller cancels; its reason is the `ToolError` to report. */
  readonly signal: AbortSignal;
  stop(): void;
}

/** setTimeout takes no more. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export function startDeadline(ms: number, caller: AbortSignal): Deadline {
  const controller = new AbortController();
  const { signal } = controller;
  const end = performance.now() + ms;
  const cancel = () => controller.abort(new ToolError("aborted", "The call was cancelled."));
  const expire = () => controller.abort(new ToolError("http_timeout", `Connection timeout after ${ms}ms`));
  const timer = setTimeout(expire, Math.min(ms, MAX_TIMER_MS));
  if (caller.aborted) cancel();
  else caller.addEventListener("abort", cancel, { once: true });
  return {
    signal,
    remaining: () => end - performance.now(),
    sleep: (time) => sleep(time, signal),
    stop() {
      clearTimeout(timer);
      caller.removeEventListener("abort", cancel);
    },
  };
}

/** The promise's result, unless the signal comes first. What the promise stands for goes on. */
export async function raceAbort<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let leave = () => {};
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    else signal.addEventListener("abort", leave);
  });
  try {
    return await Promise.race([promise, left]);
  } finally {
    signal.removeEventListener("abort", leave);
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const interrupt = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", interrupt);
      resolve();
    }, ms);
    signal.addEventListener("abort", interrupt, { once: true });
  });
}
