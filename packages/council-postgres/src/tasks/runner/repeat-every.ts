import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";

export interface Repeated {
  /** Does not wait for the next turn. */
  now(): void;
  stop(): Promise<void>;
}

/** Does the work again and again, one at a time. A failure is logged once until it ends: a database that is restarted is waited for. */
export function repeatEvery(work: () => Promise<void>, intervalMs: number, log: Log): Repeated {
  const stopped = new AbortController();
  let skip = new AbortController();
  let failure = "";
  const done = run();
  return {
    now: () => skip.abort(),
    async stop() {
      stopped.abort();
      await done;
    },
  };

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      const signal = AbortSignal.any([stopped.signal, skip.signal]);
      // Instances that started side by side drift apart.
      await sleep(intervalMs * (0.9 + 0.2 * Math.random()), undefined, { signal, ref: false }).catch(
        () => undefined,
      );
      if (stopped.signal.aborted) return;
      skip = new AbortController();
      try {
        await work();
        failure = "";
      } catch (error) {
        const { message } = error as Error;
        if (message !== failure) log(`tasks: ${message}`);
        failure = message;
      }
    }
  }
}
