import type { KeyClaim, KeyedRun } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { writeStarted } from "./write.ts";

export interface ClaimOptions {
  /** This instance. */
  readonly owner: string;
  /** Rejects when it was declared dead. */
  readonly assertAlive: (connection: Queryable) => Promise<void>;
}

/**
 * Gives the key to one run, whatever instances ask for it at once, and records the run with it: of a key that is claimed there is
 * always a run, which is reported as interrupted if its instance dies.
 */
export function claimRun(database: Database, run: KeyedRun, options: ClaimOptions): Promise<KeyClaim> {
  const { idempotencyKey: key } = run;
  return database.transaction(async (connection) => {
    await options.assertAlive(connection);
    // The key may be released between two statements; then it is free.
    for (;;) {
      if (await insertKey(connection, run, options.owner)) {
        await writeStarted(connection, [run], options.owner);
        return { kind: "claimed" };
      }
      const [existing] = await connection.query<KnownKey>(
        `SELECT k.run_id, k.fingerprint, r.status, r.http_status, r.response,
           EXISTS (SELECT 1 FROM council.instances i WHERE i.id = k.owner) AS alive
         FROM council.idempotency_keys k LEFT JOIN council.runs r ON r.id = k.run_id WHERE k.key = $1 FOR UPDATE OF k`,
        [key],
      );
      const answer = existing && answerOf(existing);
      if (answer) return answer;
      // The run that had it failed, or its instance died. The row is locked: this request is the one that tries again.
      await connection.query("DELETE FROM council.idempotency_keys WHERE key = $1", [key]);
    }
  });
}

/** With `neverBegan` the record of the run goes with the key. */
export async function releaseKey(
  database: Database,
  key: string,
  runId: string,
  { neverBegan = false } = {},
): Promise<void> {
  await database.transaction(async (connection) => {
    await connection.query("DELETE FROM council.idempotency_keys WHERE key = $1 AND run_id = $2", [
      key,
      runId,
    ]);
    if (neverBegan) await connection.query("DELETE FROM council.runs WHERE id = $1", [runId]);
  });
}

interface KnownKey {
  readonly run_id: string;
  readonly fingerprint: string;
  /** null: the run is not in the history yet. */
  readonly status: string | null;
  readonly http_status: number | null;
  readonly response: string | null;
  readonly alive: boolean;
}

function answerOf({
  run_id: runId,
  fingerprint,
  status,
  http_status,
  response,
  alive,
}: KnownKey): KeyClaim | undefined {
  if (status === null || status === "running")
    return alive ? { kind: "running", runId, fingerprint } : undefined;
  const succeeded = ["complete", "partial", "degraded"].includes(status) && (http_status ?? 500) < 500;
  if (!succeeded || http_status === null || response === null) return undefined;
  return { kind: "finished", id: runId, fingerprint, httpStatus: http_status, response };
}

async function insertKey(
  connection: Queryable,
  { idempotencyKey, fingerprint, id }: KeyedRun,
  owner: string,
): Promise<boolean> {
  const inserted = await connection.query(
    "INSERT INTO council.idempotency_keys (key, run_id, fingerprint, owner) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key",
    [idempotencyKey, id, fingerprint, owner],
  );
  return inserted.length > 0;
}
