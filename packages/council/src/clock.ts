import { setImmediate } from "node:timers/promises";

/** Time as an edge, so that tests decide what time it is. */
export interface Clock {
  /** Milliseconds since the epoch. May jump when the system time is set. */
  now(): number;
  /** Milliseconds since some moment, for durations. Never jumps. */
  elapsed(): number;
  /** Resolves after `ms`; rejects when the signal aborts first. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export const realClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  sleep,
};

/** Nearly every sleep is cut short, as the deadline of a run: the timer of Node.js would note a stack for each. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener("abort", onAbort);
        resolve();
      },
      Math.min(ms, MAX_TIMER_MS),
    );
    signal.addEventListener("abort", onAbort, { once: true });
  });
}

/** Lets whatever else waits have its turn between two pieces of long synchronous work. */
export const nextTurn = (): Promise<void> => setImmediate();

/** Longer delays overflow Node's timers and would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;
