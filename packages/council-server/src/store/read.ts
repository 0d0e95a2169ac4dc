import type { DatabaseSync } from "node:sqlite";
import { KEEP_EXPENSE } from "./expenses.ts";
import type {
  CachedResponse,
  Measurement,
  MeasurementSubject,
  RunDetailRow,
  RunQuery,
  RunRow,
  RunSort,
  SessionCost,
  StoredResponse,
  VoteAgreement,
} from "./records.ts";

export function listRuns(db: DatabaseSync, query: RunQuery): RunRow[] {
  const { sql, values } = listQuery(query);
  return db.prepare(sql).all(...values) as unknown as RunRow[];
}

/** Each combination of filters has an index that also gives the order. */
export function listQuery({ limit, sort = "newest", before, ...filter }: RunQuery): {
  sql: string;
  values: (string | number)[];
} {
  const { where, values } = conditions(filter);
  const { key, order } = SORT_KEYS[sort];
  const more = order === "DESC" ? "<" : ">";
  const from = before ? ` AND (${key}, id) ${more} (?, ?)` : "";
  return {
    sql: `SELECT ${SUMMARY} FROM runs WHERE ${where}${from} ORDER BY ${key} ${order}, id ${order} LIMIT ?`,
    values: [...values, ...(before ? [before.at, before.id] : []), limit],
  };
}

export function countRuns(db: DatabaseSync, query: RunQuery): number {
  const { where, values } = conditions(query);
  const { count } = db.prepare(`SELECT count(*) AS count FROM runs WHERE ${where}`).get(...values)!;
  return count as number;
}

function conditions({ status, tool, session, subject, text, since, until }: Omit<RunQuery, "limit">): {
  where: string;
  values: (string | number)[];
} {
  const where = ["1 = 1"];
  const values: (string | number)[] = [];
  const add = (condition: string, ...more: (string | number)[]) => {
    where.push(condition);
    values.push(...more);
  };
  if (status) add("status = ?", status);
  if (tool) add("tool = ?", tool);
  if (session) add("session = ?", session);
  if (subject !== undefined) add("subject = ?", subject);
  const match = text === undefined ? "" : toMatch(text);
  if (match !== "") {
    const found = "SELECT rowid FROM search_text WHERE search_text MATCH ?";
    add(`id IN (SELECT run_id FROM search_keys WHERE key IN (${found}))`, match);
  }
  if (since !== undefined) add("started_at >= ?", since);
  if (until !== undefined) add("started_at < ?", until);
  return { where: where.join(" AND "), values };
}

/** Words as quoted prefixes: nothing of a search is an operator. */
function toMatch(text: string): string {
  const words = text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return words
    .slice(0, 20)
    .map((word) => `"${word}"*`)
    .join(" ");
}

export function getRun(db: DatabaseSync, id: string): RunDetailRow | undefined {
  return db
    .prepare(`SELECT ${SUMMARY}, request, http_status, response FROM runs WHERE id = ?`)
    .get(id) as unknown as RunDetailRow | undefined;
}

/** The run's events as they were sent, each a JSON text. */
export function runEvents(
  db: DatabaseSync,
  id: string,
  after: number,
): { seq: number; type: string; data: string }[] {
  const rows = db
    .prepare("SELECT seq, type, data FROM events WHERE run_id = ? AND seq > ? ORDER BY seq")
    .all(id, after);
  return rows as unknown as { seq: number; type: string; data: string }[];
}

/** The model calls as they were recorded, each a JSON text. */
export function runCalls(db: DatabaseSync, id: string, call?: number): string[] {
  const one = call === undefined ? "" : " AND call = ?";
  const rows = db
    .prepare(`SELECT data FROM calls WHERE run_id = ?${one} ORDER BY call`)
    .all(id, ...(call === undefined ? [] : [call]));
  return rows.map(({ data }) => data as string);
}

/** What the steps of one agent cost, as far as known. */
export function sessionCost(db: DatabaseSync, session: string): SessionCost {
  return db
    .prepare(
      `SELECT coalesce(sum(cost_usd), 0) AS usd, count(*) FILTER (WHERE calls > 0 AND cost_usd IS NULL) AS unpriced
       FROM runs WHERE session = ?`,
    )
    .get(session) as unknown as SessionCost;
}

/** The newest successful run under an idempotency key. Failures are left out, so that they can be retried. */
export function findByKey(db: DatabaseSync, key: string): StoredResponse | undefined {
  return db
    .prepare(
      `SELECT id, fingerprint, http_status AS httpStatus, response FROM runs
       WHERE idempotency_key = ? AND http_status < 500 AND status IN ('complete', 'partial', 'degraded')
       ORDER BY started_at DESC LIMIT 1`,
    )
    .get(key) as StoredResponse | undefined;
}

/** The newest complete run with the cache key that ended since a moment. */
export function findCached(db: DatabaseSync, key: string, since: number): CachedResponse | undefined {
  return db
    .prepare(
      `SELECT id, ended_at AS endedAt, response FROM runs
       WHERE cache_key = ? AND status = 'complete' AND ended_at >= ? ORDER BY ended_at DESC LIMIT 1`,
    )
    .get(key, since) as CachedResponse | undefined;
}

/** The newest measurements of a subject, oldest first. */
export function measurements(db: DatabaseSync, subject: MeasurementSubject): Measurement[] {
  return db
    .prepare(
      "SELECT id, data FROM (SELECT id, data, at FROM measurements WHERE subject = ? ORDER BY at DESC LIMIT 20000) ORDER BY at",
    )
    .all(subject) as unknown as Measurement[];
}

export function measurement(
  db: DatabaseSync,
  subject: MeasurementSubject,
  id: string,
): Measurement | undefined {
  return db.prepare("SELECT id, data FROM measurements WHERE subject = ? AND id = ?").get(subject, id) as
    | Measurement
    | undefined;
}

/** How often each model voted for the winner. */
export function agreements(db: DatabaseSync): VoteAgreement[] {
  return db
    .prepare(
      "SELECT model, sum(agreed) AS agreed, sum(votes) AS total FROM runs WHERE votes > 0 AND model IS NOT NULL GROUP BY model",
    )
    .all() as unknown as VoteAgreement[];
}

/** What the run has spent stays spent: deleting runs does not make room in a daily budget. */
export function removeRun(db: DatabaseSync, id: string): boolean {
  db.prepare(KEEP_EXPENSE).run(id);
  return db.prepare("DELETE FROM runs WHERE id = ?").run(id).changes > 0;
}

const SUMMARY =
  "id, status, channel, tool, model, prompt, started_at, ended_at, calls, input_tokens, output_tokens, cost_usd, cost_source, session, answer, subject";

/** What a list is sorted by. */
const SORT_KEYS: Readonly<Record<RunSort, { readonly key: string; readonly order: "ASC" | "DESC" }>> = {
  newest: { key: "started_at", order: "DESC" },
  oldest: { key: "started_at", order: "ASC" },
  cost: { key: "coalesce(cost_usd, -1)", order: "DESC" },
  duration: { key: "coalesce(ended_at - started_at, -1)", order: "DESC" },
};
