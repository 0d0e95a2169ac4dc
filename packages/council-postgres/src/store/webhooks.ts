import type { PendingWebhook, WebhookFilter } from "@mci-ts/council-server";
import type { Database } from "../database/database.ts";

/** Webhooks taken over at once. */
const BATCH = 100;

/** Gives this instance the webhooks whose instance is dead and whose run is over. */
export async function claimWebhooks(
  database: Database,
  owner: string,
  { limit, skipHosts }: WebhookFilter = { limit: BATCH, skipHosts: [] },
): Promise<PendingWebhook[]> {
  const claimed = await database.query<Omit<PendingWebhook, "nextAt"> & { readonly waitMs: number }>(
    `WITH claimed AS (
       UPDATE council.webhooks SET owner = $1 WHERE run_id IN (
         SELECT run_id FROM council.webhooks w
         WHERE owner NOT IN (SELECT id FROM council.instances)
           AND NOT EXISTS (SELECT 1 FROM council.runs r WHERE r.id = w.run_id AND r.status = 'running')
           AND split_part(url, '/', 3) <> ALL ($3)
         ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING run_id, url, attempts, next_at)
     SELECT run_id AS id, url, attempts, http_status AS "httpStatus", response,
       next_at - (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS "waitMs"
     FROM claimed LEFT JOIN council.runs ON id = run_id`,
    [owner, limit, skipHosts],
  );
  return claimed.map(({ waitMs, ...webhook }) => ({ ...webhook, nextAt: Date.now() + waitMs }));
}

/** Those that are not delivered yet, of all instances. */
export async function countWebhooks(database: Database): Promise<number> {
  const [row] = await database.query<{ readonly count: number }>("SELECT count(*) FROM council.webhooks");
  return row!.count;
}
