import type { RunDetailRow, RunQuery, RunRow, RunSort, RunState } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { toQuery } from "./search-words.ts";

const SUMMARY =
  "id, status, channel, tool, model, prompt, started_at, ended_at, calls, input_tokens, output_tokens, cost_usd, cost_source, session, answer, subject";

/** Newest first. */
export function listRuns(
  database: Queryable,
  { limit, sort = "newest", before, ...filter }: RunQuery,
): Promise<RunRow[]> {
  const { where, values, place } = conditions(filter);
  const { key, order } = SORT_KEYS[sort];
  if (before)
    where.push(`(${key}, id) ${order === "DESC" ? "<" : ">"} (${place(before.at)}, ${place(before.id)})`);
  return database.query(
    `SELECT ${SUMMARY} FROM council.runs WHERE ${where.join(" AND ")}
     ORDER BY ${key} ${order}, id ${order} LIMIT ${place(limit)}`,
    values,
  );
}

export async function countRuns(database: Queryable, query: RunQuery): Promise<number> {
  const { where, values } = conditions(query);
  const [row] = await database.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM council.runs WHERE ${where.join(" AND ")}`,
    values,
  );
  return row!.count;
}

function conditions({ status, tool, session, subject, text, since, until }: Omit<RunQuery, "limit">) {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const where = ["true"];
  if (status) where.push(`status = ${place(status)}`);
  if (tool) where.push(`tool = ${place(tool)}`);
  if (session) where.push(`session = ${place(session)}`);
  if (subject !== undefined) where.push(`subject = ${place(subject)}`);
  const words = text === undefined ? "" : toQuery(text);
  if (words !== "") where.push(`status <> 'running' AND search @@ ${place(words)}::tsquery`);
  if (since !== undefined) where.push(`started_at >= ${place(Math.round(since))}`);
  if (until !== undefined) where.push(`started_at < ${place(Math.round(until))}`);
  return { where, values, place };
}

/** The model calls as they were recorded, each a JSON text. */
export async function runCalls(database: Queryable, id: string, call?: number): Promise<string[]> {
  const rows = await database.query<{ data: string }>(
    "SELECT data FROM council.calls WHERE run_id = $1 AND call = coalesce($2::integer, call) ORDER BY call",
    [id, call ?? null],
  );
  return rows.map(({ data }) => data);
}

export async function getRun(database: Queryable, id: string): Promise<RunDetailRow | undefined> {
  const [row] = await database.query<RunDetailRow>(
    `SELECT ${SUMMARY}, request, http_status, response FROM council.runs WHERE id = $1`,
    [id],
  );
  return row;
}

export async function runState(database: Queryable, id: string): Promise<RunState | undefined> {
  const [row] = await database.query<RunState & { response: string | null }>(
    "SELECT status, http_status, response FROM council.runs WHERE id = $1",
    [id],
  );
  return row && { ...row, response: row.response === null ? null : JSON.parse(row.response) };
}

/** The run's events as they were sent, each a JSON text. */
export function runEvents(
  database: Queryable,
  id: string,
  after: number,
): Promise<{ seq: number; type: string; data: string }[]> {
  return database.query(
    "SELECT seq, type, data FROM council.events WHERE run_id = $1 AND seq > $2 ORDER BY seq",
    [id, after],
  );
}

export async function removeRun(database: Database, id: string): Promise<boolean> {
  return database.transaction(async (connection) => {
    await connection.query("DELETE FROM council.webhooks WHERE run_id = $1", [id]);
    await connection.query("DELETE FROM council.idempotency_keys WHERE run_id = $1", [id]);
    return (await connection.query("DELETE FROM council.runs WHERE id = $1 RETURNING id", [id])).length > 0;
  });
}

/** What a list is sorted by; what is not known comes last. */
const SORT_KEYS: Readonly<Record<RunSort, { readonly key: string; readonly order: "ASC" | "DESC" }>> = {
  newest: { key: "started_at", order: "DESC" },
  oldest: { key: "started_at", order: "ASC" },
  cost: { key: "coalesce(cost_usd, -1)", order: "DESC" },
  duration: { key: "coalesce(ended_at - started_at, -1)", order: "DESC" },
};
