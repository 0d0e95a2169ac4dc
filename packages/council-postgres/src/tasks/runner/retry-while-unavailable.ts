import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../../database/database-error.ts";
import { isTemporary } from "../../database/temporary.ts";

/**
 * Repeats what a task reads and writes for as long as the database is down, read-only, full or out of connections: a task must not
 * end with such an error. In an instance that was declared dead nothing ends: another one has its tasks.
 */
export async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
  for (let waitMs = 250; ; waitMs = Math.min(2 * waitMs, MAX_WAIT_MS)) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof DatabaseError && error.code === "instance_lost")
        return new Promise<never>(() => {});
      if (!isTemporary(error)) throw error;
      await sleep(waitMs, undefined, { ref: false });
    }
  }
}

const MAX_WAIT_MS = 5000;
