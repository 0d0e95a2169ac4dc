import type { Database } from "../../database/database.ts";
import { STATUS, WITH_WORKFLOW } from "./task-query.ts";

export interface ClaimedWebhook {
  readonly id: string;
  readonly url: string;
  readonly attempts: number;
  /** Until when it belongs to the instance that claimed it. */
  readonly lease: string;
}

/** What is left to do for tasks that are over: their webhooks, and their deletion. */
export function aftermathStatements(db: Database) {
  return { expired, claimWebhooks, settleWebhook };

  /** Tasks that ended so many days ago, by the clock of the database. What a receiver is still to be told of stays. */
  async function expired(days: number, limit: number): Promise<string[]> {
    const rows = await db.query<{ id: string }>(
      `SELECT t.id ${WITH_WORKFLOW} WHERE t.webhook_at IS NULL AND w.status IS DISTINCT FROM 'PENDING'
         AND (t.ended_at < clock_timestamp() - $1 * interval '1 day' OR (t.ended_at IS NULL AND t.error IS NULL AND t.control IS NULL
           AND w.status = 'CANCELLED' AND w.completed_at < extract(epoch FROM clock_timestamp() - $1 * interval '1 day') * 1000))
       LIMIT $2`,
      [days, limit],
    );
    return rows.map(({ id }) => id);
  }

  /**
   * Webhooks of tasks that are over, however they ended. Another instance gets one that is not settled within `leaseMs`. Receiving
   * hosts take turns: one that does not answer, with any number of tasks, does not keep others from theirs.
   */
  async function claimWebhooks(limit: number, leaseMs: number): Promise<ClaimedWebhook[]> {
    return db.query(
      `WITH due AS (
         SELECT t.id, t.webhook_at, row_number() OVER (PARTITION BY substring(t.webhook FROM '://([^/?#]*)') ORDER BY t.webhook_at) AS turn
         ${WITH_WORKFLOW} WHERE t.webhook_at <= clock_timestamp() AND ${STATUS} IN ('complete', 'failed', 'cancelled'))
       UPDATE council.tasks SET webhook_at = clock_timestamp() + $2 * interval '1 ms' WHERE id IN (
         SELECT id FROM council.tasks
         WHERE id IN (SELECT id FROM due ORDER BY turn, webhook_at LIMIT $1) AND webhook_at <= clock_timestamp()
         FOR UPDATE SKIP LOCKED)
       RETURNING id, webhook AS url, webhook_attempts AS attempts, webhook_at::text AS lease`,
      [limit, leaseMs],
    );
  }

  /** Unless the task has begun again since: its next end is still to be delivered. */
  async function settleWebhook(
    { id, lease }: Pick<ClaimedWebhook, "id" | "lease">,
    retryMs: number | null,
  ): Promise<void> {
    await db.query(
      `UPDATE council.tasks SET webhook_at = clock_timestamp() + $2 * interval '1 ms', webhook_attempts = webhook_attempts + 1
       WHERE id = $1 AND webhook_at = $3::timestamptz`,
      [id, retryMs, lease],
    );
  }
}
