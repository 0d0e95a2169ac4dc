import type { KeyClaim } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { assertAlive } from "../instances/fencing.ts";

interface Claim {
  readonly key: string;
  readonly fingerprint: string;
  readonly runId: string;
  readonly owner: string;
}

/** Gives the key to one run, whatever instances ask for it at once. */
export function claimKey(database: Database, claim: Claim): Promise<KeyClaim> {
  return database.transaction(async (connection) => {
    await assertAlive(connection, claim.owner);
    // The key may be released between two statements; then it is free.
    for (;;) {
      if (await insertKey(connection, claim)) return { kind: "claimed" };
      const [known] = await connection.query<KnownKey>(
        `SELECT k.run_id, k.fingerprint, r.status, r.http_status, r.response,
           EXISTS (SELECT 1 FROM council.instances i WHERE i.id = k.owner) AS alive
         FROM council.idempotency_keys k LEFT JOIN council.runs r ON r.id = k.run_id WHERE k.key = $1 FOR UPDATE OF k`,
        [claim.key],
      );
      const answer = known && answerOf(known);
      if (answer) return answer;
      // The run that had it failed, or its instance died. The row is locked: this request is the one that tries again.
      await connection.query("DELETE FROM council.idempotency_keys WHERE key = $1", [claim.key]);
    }
  });
}

export async function releaseKey(database: Database, key: string, runId: string): Promise<void> {
  await database.query("DELETE FROM council.idempotency_keys WHERE key = $1 AND run_id = $2", [key, runId]);
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

async function insertKey(connection: Queryable, { key, fingerprint, runId, owner }: Claim): Promise<boolean> {
  const inserted = await connection.query(
    "INSERT INTO council.idempotency_keys (key, run_id, fingerprint, owner) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING key",
    [key, runId, fingerprint, owner],
  );
  return inserted.length > 0;
}
