import type { DatabaseSync } from "node:sqlite";
import type { StoreRecord } from "./records.ts";

/** Writes batches, each in one transaction. The statements are prepared once. */
export function createRecordWriter(
  db: DatabaseSync,
  owner: string,
): (records: readonly StoreRecord[]) => void {
  const statements = {
    started: db.prepare(
      `INSERT OR IGNORE INTO runs (id, owner, channel, status, started_at, prompt, request, idempotency_key, fingerprint)
       VALUES (?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
    ),
    event: db.prepare("INSERT OR IGNORE INTO events (run_id, seq, at, type, data) VALUES (?, ?, ?, ?, ?)"),
    ended: db.prepare(
      `UPDATE runs SET status = ?, ended_at = ?, http_status = ?, response = ?, tool = ?, model = ?, calls = ?, input_tokens = ?,
       output_tokens = ?, cost_usd = ?, cost_source = ?, agreed = ?, votes = ? WHERE id = ?`,
    ),
  };
  const write = (record: StoreRecord) => {
    switch (record.kind) {
      case "started": {
        const { id, channel, at, prompt, request, idempotencyKey = null, fingerprint = "" } = record;
        statements.started.run(id, owner, channel, at, prompt, request, idempotencyKey, fingerprint);
        break;
      }
      case "event":
        statements.event.run(record.id, record.seq, record.at, record.type, record.data);
        break;
      case "ended": {
        const { status, at, httpStatus, response, tool, model, calls, inputTokens, outputTokens } = record;
        const { costUsd, costSource, agreed, votes, id } = record;
        statements.ended.run(
          ...[status, at, httpStatus, response],
          ...[tool, model, calls, inputTokens, outputTokens, costUsd, costSource, agreed, votes].map(
            (value) => value ?? null,
          ),
          id,
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

/** Deletes runs beyond the retention limits; running ones stay. */
export function applyRetention(
  db: DatabaseSync,
  retention: { readonly days: number; readonly runs: number },
  now = Date.now(),
): number {
  const { changes } = db
    .prepare(
      `DELETE FROM runs WHERE status <> 'running' AND (
         started_at < ?
         OR id IN (SELECT id FROM runs ORDER BY started_at DESC, id DESC LIMIT -1 OFFSET ?))`,
    )
    .run(now - retention.days * 86_400_000, retention.runs);
  if (changes > 0) db.exec("PRAGMA incremental_vacuum");
  return Number(changes);
}

/** When less than a quarter of the allowed size is free, deletes the oldest runs until half is free; running ones stay. */
export function evictOldest(db: DatabaseSync): void {
  const count = (what: string) => Object.values(db.prepare(`PRAGMA ${what}`).get()!)[0] as number;
  const maxPages = count("max_page_count");
  const used = () => count("page_count") - count("freelist_count");
  if (used() < 0.75 * maxPages) return;
  const oldest = db.prepare(
    "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE status <> 'running' ORDER BY started_at, id LIMIT ?)",
  );
  // In steps of an eighth: one by one is slow, and run sizes differ too much to compute the number.
  const { runs } = db.prepare("SELECT count(*) AS runs FROM runs").get() as { runs: number };
  while (used() > 0.5 * maxPages && oldest.run(Math.ceil(runs / 8)).changes > 0);
  db.exec("PRAGMA incremental_vacuum");
}
