import { setTimeout as sleep } from "node:timers/promises";
import type { Log } from "@mci-ts/council";

export interface StartOptions {
  /** How long to wait for a database that is busy or away. 0: not at all. */
  readonly waitMs: number;
  readonly log: Log;
}

/** What a service reads before it listens: a database that does not answer in time is waited for, as while it is connected to. */
export async function readAtStart<T>(read: () => Promise<T>, { waitMs, log }: StartOptions): Promise<T> {
  const deadline = performance.now() + waitMs;
  for (let waiting = false; ; waiting = true) {
    try {
      return await read();
    } catch (error) {
      const { code = "", message } = error as { code?: string; message: string };
      if (IS_REFUSED.test(code) || performance.now() >= deadline) throw error;
      if (!waiting) log(`history: ${message}. Waiting up to ${waitMs / 1000} seconds for it`);
      await sleep(RETRY_MS);
    }
  }
}

/** A code of PostgreSQL itself: the statement was refused, and would be again. Or the database failed over: the next start goes on. */
const IS_REFUSED = /^([0-9A-Z]{5}|instance_lost)$/;
const RETRY_MS = 250;
