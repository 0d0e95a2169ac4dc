import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "../database/database.ts";

export interface Retention {
  readonly days: number;
  readonly runs: number;
}

const INTERVAL_MS = 10 * 60_000;
/** Runs deleted by one transaction. */
const BATCH = 200;
/** Any number. */
const RETENTION_LOCK = 7_303_021;

/** Deletes runs beyond the limits now and from time to time, on one instance at a time. */
export function startRetention(database: Database, retention: Retention): { stop(): Promise<void> } {
  const stopped = new AbortController();
  const work = (async () => {
    while (!stopped.signal.aborted) {
      // A database that cannot be reached is reported by the next write.
      while (!stopped.signal.aborted && (await applyRetention(database, retention).catch(() => false)));
      await sleep(INTERVAL_MS, undefined, { signal: stopped.signal, ref: false }).catch(() => undefined);
    }
  })();
  return {
    stop() {
      stopped.abort();
      return work;
    },
  };
}

/** Deletes one batch; running runs stay. True while more may be left. */
function applyRetention(database: Database, { days, runs }: Retention): Promise<boolean> {
  return database.transaction(async (connection) => {
    const [lock] = await connection.query<{ locked: boolean }>(
      "SELECT pg_try_advisory_xact_lock($1) AS locked",
      [RETENTION_LOCK],
    );
    if (!lock?.locked) return false;
    const deleted = await connection.query(
      `DELETE FROM council.runs WHERE id IN (
         SELECT id FROM council.runs WHERE status <> 'running'
           AND started_at < greatest(
             (extract(epoch FROM clock_timestamp()) * 1000)::bigint - $1::bigint * 86400000,
             -- The oldest that may stay by number.
             coalesce((SELECT started_at FROM council.runs ORDER BY started_at DESC, id DESC OFFSET $2 - 1 LIMIT 1), 0))
         ORDER BY started_at LIMIT $3)
       RETURNING id`,
      [days, runs, BATCH],
    );
    // Keys and webhooks whose run is gone; a key that was claimed a moment ago has no run yet.
    await connection.query(
      `DELETE FROM council.idempotency_keys k WHERE claimed_at < clock_timestamp() - interval '1 day'
       AND NOT EXISTS (SELECT 1 FROM council.runs r WHERE r.id = k.run_id)`,
    );
    await connection.query("DELETE FROM council.webhooks w WHERE w.run_id = ANY($1)", [
      deleted.map((row) => (row as { id: string }).id),
    ]);
    await connection.query("DELETE FROM council.daily_expenses WHERE day < current_date - 400");
    await connection.query("DELETE FROM council.subject_expenses WHERE day < current_date - 7");
    return deleted.length === BATCH;
  });
}
