import type { Database, Queryable } from "../database/database.ts";
import { LEASE_LOCK, type Neighbours } from "./lease.ts";
import type { Takeover } from "./takeover.ts";
import { silenceMs } from "./timing.ts";

/** The instance that sweeps. */
export interface Observer {
  readonly id: string;
  /** Whether it may judge others by their silence. */
  readonly steady: boolean;
  /** Whether it lost its own connection a moment ago: then free locks of others mean nothing. */
  readonly disturbed: boolean;
  readonly leaseMs: number;
}

export interface SweepResult {
  readonly declaredDead: readonly string[];
  readonly living: number;
}

/**
 * Declares silent instances dead and ends their connections. undefined: another instance is sweeping. The lock belongs to a
 * transaction, so that a sweeping instance that is stopped loses it. Most of the time all have renewed a moment ago, and nothing is asked.
 */
export async function sweep(
  database: Database,
  observer: Observer,
  { living, silent }: Neighbours,
): Promise<SweepResult | undefined> {
  if (silent === 0) return { declaredDead: [], living };
  return database.transaction(async (connection) => {
    if (!(await tryLock(connection))) return undefined;
    const declaredDead = await declareDead(connection, observer);
    return { declaredDead, living: living - declaredDead.length };
  });
}

/** Takes over what dead instances left; only after their death is known to everyone. False: another instance does. */
export async function takeOverAll(database: Database, takeovers: readonly Takeover[]): Promise<boolean> {
  if (takeovers.length === 0) return true;
  return database.transaction(async (connection) => {
    if (!(await tryLock(connection))) return false;
    for (const takeOver of takeovers) await takeOver(connection);
    return true;
  });
}

/** Any number. */
const SWEEP_LOCK = 7_303_016;

async function tryLock(connection: Queryable): Promise<boolean> {
  const [row] = await connection.query<{ locked: boolean }>(
    "SELECT pg_try_advisory_xact_lock($1) AS locked",
    [SWEEP_LOCK],
  );
  return row?.locked === true;
}

/**
 * Dead is an instance whose lock is free, or that was silent for a whole lease. After a restart of the database, or a while
 * without connections, all locks are free, and all are silent for a while: then every instance gets the time of a lease. The
 * row of an instance that is writing is locked by it and waits for the next sweep.
 */
async function declareDead(connection: Queryable, observer: Observer): Promise<string[]> {
  const { id, steady, disturbed, leaseMs } = observer;
  const dead = await connection.query<{ id: string }>(
    `DELETE FROM council.instances WHERE id IN (
       SELECT id FROM council.instances
       WHERE id <> $1
         AND pg_postmaster_start_time() < clock_timestamp() - $2 * interval '1 ms'
         AND CASE
           WHEN $3 AND seen_at < clock_timestamp() - $2 * interval '1 ms' THEN true
           WHEN $6 OR seen_at >= clock_timestamp() - $4 * interval '1 ms' THEN false
           ELSE pg_try_advisory_xact_lock($5, lock_key)
         END
       FOR UPDATE SKIP LOCKED)
     RETURNING id`,
    [id, leaseMs, steady, silenceMs(leaseMs), LEASE_LOCK, disturbed],
  );
  const ids = dead.map((row) => row.id);
  if (ids.length > 0) await endConnections(connection, ids);
  return ids;
}

/** A stopped process keeps its connections, and with them locks and open transactions. */
async function endConnections(connection: Queryable, ids: readonly string[]): Promise<void> {
  await connection.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity, unnest($1::text[]) AS dead
     WHERE application_name = 'council-' || dead`,
    [ids],
  );
}
