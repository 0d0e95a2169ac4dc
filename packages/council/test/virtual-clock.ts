import { setImmediate } from "node:timers/promises";
import type { Clock } from "../src/clock.ts";

export interface VirtualClock extends Clock {
  /** Lets time pass, from one waiting sleeper to the next, until the promise settles. */
  run<T>(promise: Promise<T>): Promise<T>;
}

/** A clock on which nothing ever waits: time jumps to the next sleeper when all else is idle. */
export function virtualClock(): VirtualClock {
  let time = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => time,
    elapsed: () => time,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal.aborted) return reject(signal.reason);
        const sleeper = { at: time + ms, wake: resolve };
        sleepers.add(sleeper);
        signal.addEventListener("abort", () => {
          sleepers.delete(sleeper);
          reject(signal.reason);
        });
      }),
    async run(promise) {
      let settled = false;
      promise.then(
        () => (settled = true),
        () => (settled = true),
      );
      for (;;) {
        await setImmediate();
        if (settled) return promise;
        const next = [...sleepers].toSorted((a, b) => a.at - b.at)[0];
        if (next === undefined) throw new Error("everything waits, and nothing will ever happen");
        sleepers.delete(next);
        time = next.at;
        next.wake();
      }
    },
  };
}
