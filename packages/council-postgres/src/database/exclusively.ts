import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import type { Database } from "./database.ts";

/**
 * Runs the work on one instance at a time. For libraries that migrate tables of their own without a lock: two instances of DBOS
 * that launch on an empty database at once end with an error.
 */
export async function exclusively<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const client = await database.connect();
  // A lost connection is reported by the work itself.
  client.on("error", () => undefined);
  try {
    // Asked again and again: a statement that waits for the lock would hold up indexes that are created concurrently.
    while (!(await tryLock(client))) await sleep(50);
    return await work();
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Any number, the same in every version of the program. */
const EXCLUSIVE_LOCK = 7_303_017;

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query("SELECT pg_try_advisory_lock($1) AS locked", [EXCLUSIVE_LOCK]);
  return rows[0].locked;
}
