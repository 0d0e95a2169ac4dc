import type { RunDetailRow, RunQuery, RunRow, RunState } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { toQuery } from "./search-words.ts";

const SUMMARY =
  "id, status, channel, tool, model, prompt, started_at, ended_at, calls, input_tokens, output_tokens, cost_usd, cost_source, session";

/** Newest first. */
export function listRuns(
  database: Queryable,
  { limit, status, tool, session, text, before }: RunQuery,
): Promise<RunRow[]> {
  const values: unknown[] = [];
  const place = (value: unknown) => `$${values.push(value)}`;
  const where = ["true"];
  if (status) where.push(`status = ${place(status)}`);
  if (tool) where.push(`tool = ${place(tool)}`);
  if (session) where.push(`session = ${place(session)}`);
  const words = text === undefined ? "" : toQuery(text);
  if (words !== "") where.push(`status <> 'running' AND search @@ ${place(words)}::tsquery`);
  if (before) where.push(`(started_at, id) < (${place(before.at)}, ${place(before.id)})`);
  return database.query(
    `SELECT ${SUMMARY} FROM council.runs WHERE ${where.join(" AND ")}
     ORDER BY started_at DESC, id DESC LIMIT ${place(limit)}`,
    values,
  );
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
