import { createHash } from "node:crypto";
import type pg from "pg";
import type { Database } from "../database/database.ts";
import type { InstanceOptions } from "./instance-options.ts";
import { silenceMs, type Timing } from "./timing.ts";

/** Any number; the second half of the key is the instance's own. */
export const LEASE_LOCK = 7303;

/** All living instances, this one included, and how many of them have not renewed for a while. */
export interface Neighbours {
  readonly living: number;
  readonly silent: number;
}

export interface Lease {
  /** Renews, and looks at the other instances in the same statement where that is asked for. undefined: there is nothing to renew. */
  renew(look: boolean): Promise<{ readonly neighbours: Neighbours | undefined } | undefined>;
  /** Whether this instance has renewed without a pause for as long as a lease lasts: then the silence of others counts. */
  isSteady(): boolean;
  /**
   * Whether this instance paused or lost its connection less than a lease ago. Others may have lost theirs for the same
   * reason, and need time to connect again: their locks are free, and they live.
   */
  isDisturbed(): boolean;
  /** Whether the lease was renewed so recently that no other instance can have declared this one dead. */
  isCertain(): boolean;
  close(): Promise<void>;
}

/** Takes the lock and writes the row that make this process a living instance. */
export async function openLease(
  database: Database,
  {
    id,
    workflowVersion,
    checkClock,
    leaseMs,
  }: Pick<Timing, "leaseMs"> & Pick<InstanceOptions, "id" | "workflowVersion" | "checkClock">,
): Promise<Lease> {
  const key = createHash("sha256").update(id).digest().readInt32BE();
  let client: pg.Client | undefined;
  let locked = false;
  let seenAt = 0;
  let steadySince = 0;
  let disturbedAt = Number.NEGATIVE_INFINITY;
  let isConnectionLost = false;
  /** When the statement was sent, by the clock of this process. */
  let renewedAt = Number.NEGATIVE_INFINITY;

  async function connect(): Promise<pg.Client> {
    if (client) return client;
    // One that does not answer is given up while there is time to renew over another.
    const next = await database.connect({ timeoutMs: Math.max(leaseMs / 2, MIN_TIMEOUT_MS) });
    const onClosed = () => {
      if (client === next) client = undefined;
      locked = false;
      isConnectionLost = true;
    };
    next.on("error", onClosed).on("end", onClosed);
    client = next;
    return next;
  }

  /** After a lost connection its lock may be held by the old session for a while. */
  async function lock(on: pg.Client): Promise<void> {
    if (locked) return;
    const { rows } = await on.query("SELECT pg_try_advisory_lock($1, $2) AS locked", [LEASE_LOCK, key]);
    locked = rows[0].locked;
  }

  function record(at: number): void {
    // This process or the database did not run, or could not be reached. Others need time to renew before they are judged.
    const isPause = seenAt > 0 && at - seenAt > leaseMs / 2;
    if (isPause || isConnectionLost) disturbedAt = at;
    if (isPause || isConnectionLost || seenAt === 0) steadySince = at;
    isConnectionLost = false;
    seenAt = at;
  }

  const first = await connect();
  await lock(first);
  renewedAt = performance.now();
  const { rows } = await first.query(
    `INSERT INTO council.instances (id, lock_key, workflow_version) VALUES ($1, $2, $3) RETURNING ${MILLISECONDS}`,
    [id, key, workflowVersion ?? null],
  );
  record(rows[0].at);
  return {
    async renew(look) {
      const on = await connect();
      await lock(on);
      const sentAt = performance.now();
      const askedMs = Date.now();
      const { rows } = await on.query(
        look
          ? { name: "renew-and-look", text: RENEW_AND_LOOK, values: [id, silenceMs(leaseMs)] }
          : { name: "renew", text: RENEW, values: [id] },
      );
      const [renewed] = rows;
      if (renewed === undefined) return undefined;
      record(renewed.at);
      checkClock?.(renewed.at, askedMs);
      renewedAt = sentAt;
      return { neighbours: look ? renewed : undefined };
    },
    isSteady: () => !isConnectionLost && seenAt - steadySince >= leaseMs,
    isDisturbed: () => isConnectionLost || seenAt - disturbedAt < leaseMs,
    isCertain: () => performance.now() - renewedAt < silenceMs(leaseMs),
    async close() {
      await client?.query("DELETE FROM council.instances WHERE id = $1", [id]).catch(() => undefined);
      await client?.end().catch(() => undefined);
    },
  };
}

/** The short leases of tests need this minimum: a busy machine takes that long. */
const MIN_TIMEOUT_MS = 1000;
const MILLISECONDS = "(extract(epoch FROM seen_at) * 1000)::bigint AS at";
const RENEW = `UPDATE council.instances SET seen_at = clock_timestamp() WHERE id = $1 RETURNING ${MILLISECONDS}`;
const RENEW_AND_LOOK = `${RENEW}, (SELECT count(*) FROM council.instances) AS living,
  (SELECT count(*) FROM council.instances WHERE id <> $1 AND seen_at < clock_timestamp() - $2 * interval '1 ms') AS silent`;
