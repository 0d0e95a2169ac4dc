import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseError } from "../database/database-error.ts";
import { isTemporary } from "../database/temporary.ts";

/**
 * What a workflow reads and writes beside the records of DBOS: repeated for as long as the database is down, full or out of
 * connections. A workflow that ended with such an error would leave its task without one. Of an instance that was declared dead
 * nothing ends: another one has its workflows.
 */
export async function durably<T>(work: () => Promise<T>): Promise<T> {
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
