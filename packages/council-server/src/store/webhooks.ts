import type { DatabaseSync } from "node:sqlite";
import type { WebhookFilter } from "./backend.ts";
import type { PendingWebhook } from "./records.ts";

/** Webhooks taken over at once. */
const BATCH = 100;

/** Gives this process the webhooks whose process is dead and whose run is over. */
export function claimWebhooks(
  db: DatabaseSync,
  owner: string,
  { limit, skipHosts }: WebhookFilter = { limit: BATCH, skipHosts: [] },
): PendingWebhook[] {
  const claimed = db
    .prepare(
      `UPDATE webhooks SET owner = ? WHERE run_id IN (
         SELECT run_id FROM webhooks LEFT JOIN runs ON id = run_id
         WHERE webhooks.owner NOT IN (SELECT id FROM owners) AND coalesce(status, 'interrupted') <> 'running'
           AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(url, '://' || value || '/') > 0)
         ORDER BY next_at LIMIT ?)
       RETURNING run_id`,
    )
    .all(owner, JSON.stringify(skipHosts), limit) as { run_id: string }[];
  const read = db.prepare(
    `SELECT run_id AS id, url, attempts, next_at AS nextAt, http_status AS httpStatus, response
     FROM webhooks LEFT JOIN runs ON runs.id = run_id WHERE run_id = ?`,
  );
  return claimed.map(({ run_id }) => read.get(run_id) as unknown as PendingWebhook);
}
