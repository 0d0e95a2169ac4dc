import type { DatabaseSync } from "node:sqlite";
import { ADD_EXPENSE } from "./expenses.ts";
import type { StoreRecord } from "./records.ts";

/** Writes batches, each in one transaction. The statements are prepared once. */
export function createRecordWriter(
  db: DatabaseSync,
  owner: string,
): (records: readonly StoreRecord[]) => void {
  const statements = {
    started: db.prepare(
      `INSERT OR IGNORE INTO runs (id, owner, channel, status, started_at, prompt, request, idempotency_key, fingerprint, cache_key, session, subject)
       VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    event: db.prepare("INSERT OR IGNORE INTO events (run_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)"),
    ended: db.prepare(
      `UPDATE runs SET status = ?, ended_at = ?, http_status = ?, response = ?, tool = ?, model = ?, calls = ?, input_tokens = ?,
       output_tokens = ?, cost_usd = ?, cost_source = ?, agreed = ?, votes = ?, answer = ? WHERE id = ?`,
    ),
    webhook: db.prepare(
      `INSERT INTO webhooks (run_id, owner, url, attempts, next_at) VALUES (?, ?, ?, ?, ?)
       ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner, attempts = excluded.attempts, next_at = excluded.next_at`,
    ),
    webhookDone: db.prepare("DELETE FROM webhooks WHERE run_id = ?"),
    expense: db.prepare(
      `INSERT INTO task_expenses (day, model, subject, calls, tokens, usd, unpriced_calls, unpriced_input, unpriced_output)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
       ${ADD_EXPENSE}`,
    ),
  };
  const measurement = db.prepare(
    `INSERT INTO measurements (subject, id, at, data) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject, id) DO UPDATE SET at = excluded.at, data = excluded.data`,
  );
  const call = db.prepare("INSERT OR IGNORE INTO calls (run_id, call, data) VALUES (?, ?, ?)");
  const write = (record: StoreRecord) => {
    switch (record.kind) {
      case "started": {
        const {
          id,
          channel,
          at,
          prompt,
          request,
          idempotencyKey = null,
          fingerprint = "",
          cacheKey = null,
          session = null,
          subject = null,
        } = record;
        statements.started.run(
          id,
          owner,
          channel,
          at,
          prompt,
          request,
          idempotencyKey,
          fingerprint,
          cacheKey,
          session,
          subject,
        );
        break;
      }
      case "event":
        statements.event.run(record.id, record.seq, record.at, record.type, record.data);
        break;
      case "call":
        call.run(record.id, record.call, record.data);
        break;
      case "ended": {
        const { status, at, httpStatus, response, tool, model, calls, inputTokens, outputTokens } = record;
        const { costUsd, costSource, agreed, votes, answer, id } = record;
        statements.ended.run(
          ...[status, at, httpStatus, response],
          ...[tool, model, calls, inputTokens, outputTokens, costUsd, costSource, agreed, votes, answer].map(
            (value) => value ?? null,
          ),
          id,
        );
        break;
      }
      case "webhook":
        statements.webhook.run(
          record.id,
          record.waiting ? "" : owner,
          record.url,
          record.attempts,
          record.nextAt,
        );
        break;
      case "measurement":
        measurement.run(record.subject, record.id, record.at, record.data);
        break;
      case "webhook_done":
        statements.webhookDone.run(record.id);
        break;
      case "expense": {
        const { at, model, subject = "", calls, inputTokens, outputTokens, costUsd } = record;
        const unpriced = costUsd === null ? [1, inputTokens, outputTokens] : [0, 0, 0];
        statements.expense.run(
          ...[at - (at % DAY_MS), model, subject, calls, inputTokens + outputTokens, costUsd ?? 0],
          ...unpriced,
        );
      }
    }
  };
  return (records) => {
    db.exec("BEGIN IMMEDIATE");
    try {
      for (const record of records) write(record);
      db.exec("COMMIT");
    } catch (error) {
      // A full disk may have ended the transaction already.
      if (db.isTransaction) db.exec("ROLLBACK");
      throw error;
    }
  };
}

const DAY_MS = 86_400_000;
