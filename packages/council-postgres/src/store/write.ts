import type { StoreRecord } from "@mci-ts/council-server";
import type { Database, Queryable } from "../database/database.ts";
import { notifyChange } from "./channels.ts";
import { wordsOf } from "./search-words.ts";

export interface WriteOptions {
  /** This instance. */
  readonly owner: string;
  /** Rejects when it was declared dead. */
  readonly assertAlive: (connection: Queryable) => Promise<void>;
  /** Whether the commit waits until the disk has the data. */
  readonly durable: boolean;
  /** Runs that other instances follow. */
  readonly watched: ReadonlySet<string>;
}

/** Writes a batch in one transaction, with one statement for each kind of record. */
export async function writeRecords(
  database: Database,
  records: readonly StoreRecord[],
  { owner, assertAlive, durable, watched }: WriteOptions,
): Promise<void> {
  await database.transaction(async (connection) => {
    if (!durable) await connection.query("SET LOCAL synchronous_commit = off");
    await assertAlive(connection);
    await writeStarted(connection, ofKind(records, "started"), owner);
    await writeEvents(connection, ofKind(records, "event"));
    await writeCalls(connection, ofKind(records, "call"));
    await writeEnded(connection, ofKind(records, "ended"));
    await writeWebhooks(connection, records, owner);
    await writeMeasurements(connection, ofKind(records, "measurement"));
    // Expenses have no run: the account that instances share has them already.
    const ids = records.flatMap((record) => (record.kind === "expense" ? [] : [record.id]));
    const changed = new Set(ids.filter((id) => watched.has(id)));
    for (const id of changed) await notifyChange(connection, id);
  });
}

type OfKind<Kind> = Extract<StoreRecord, { kind: Kind }>;

function ofKind<Kind extends StoreRecord["kind"]>(
  records: readonly StoreRecord[],
  kind: Kind,
): OfKind<Kind>[] {
  return records.filter((record): record is OfKind<Kind> => record.kind === kind);
}

/** Repeating it changes nothing. */
export async function writeStarted(
  connection: Queryable,
  records: OfKind<"started">[],
  owner: string,
): Promise<void> {
  for (const record of records) {
    const { id, at, channel, prompt, request, idempotencyKey, fingerprint, cacheKey, session, subject } =
      record;
    await connection.query(
      `INSERT INTO council.runs (id, owner, channel, status, started_at, prompt, request, idempotency_key, fingerprint, cache_key, search, session, subject)
       VALUES ($1, $2, $3, 'running', $4, $5, $6, $7, $8, $9, array_to_tsvector($10::text[]), $11, $12) ON CONFLICT DO NOTHING`,
      [
        ...[id, owner, channel, at, prompt, request],
        ...[idempotencyKey ?? null, fingerprint ?? "", cacheKey ?? null, wordsOf(prompt)],
        ...[session ?? null, subject ?? null],
      ],
    );
  }
}

async function writeEvents(connection: Queryable, records: OfKind<"event">[]): Promise<void> {
  if (records.length === 0) return;
  await connection.query(
    `INSERT INTO council.events (run_id, seq, at, type, data)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::text[], $5::text[]) AS new (run_id, seq, at, type, data)
     WHERE EXISTS (SELECT 1 FROM council.runs WHERE id = new.run_id)
     ON CONFLICT DO NOTHING`,
    [
      records.map(({ id }) => id),
      records.map(({ seq }) => seq),
      records.map(({ at }) => Math.round(at)),
      records.map(({ type }) => type),
      records.map(({ data }) => data),
    ],
  );
}

async function writeCalls(connection: Queryable, records: OfKind<"call">[]): Promise<void> {
  if (records.length === 0) return;
  await connection.query(
    `INSERT INTO council.calls (run_id, call, data)
     SELECT * FROM unnest($1::text[], $2::integer[], $3::text[]) AS new (run_id, call, data)
     WHERE EXISTS (SELECT 1 FROM council.runs WHERE id = new.run_id)
     ON CONFLICT DO NOTHING`,
    [records.map(({ id }) => id), records.map(({ call }) => call), records.map(({ data }) => data)],
  );
}

async function writeEnded(connection: Queryable, records: OfKind<"ended">[]): Promise<void> {
  for (const record of records) {
    const { id, status, at, httpStatus, response, tool, model, calls, inputTokens, outputTokens } = record;
    const { costUsd, costSource, agreed, votes, answer } = record;
    const optional = [
      tool,
      model,
      calls,
      inputTokens,
      outputTokens,
      costUsd,
      costSource,
      agreed,
      votes,
      answer,
    ];
    await connection.query(
      `UPDATE council.runs SET status = $2, ended_at = $3, http_status = $4, response = $5, tool = $6, model = $7, calls = $8,
         input_tokens = $9, output_tokens = $10, cost_usd = $11, cost_source = $12, agreed = $13, votes = $14, answer = $15,
         search = search || array_to_tsvector($16::text[])
       WHERE id = $1`,
      [
        ...[id, status, at, httpStatus, response],
        ...optional.map((value) => value ?? null),
        wordsOf(resultText(response)),
      ],
    );
  }
}

/** In their order: a webhook may be added and done within one batch. */
async function writeWebhooks(
  connection: Queryable,
  records: readonly StoreRecord[],
  owner: string,
): Promise<void> {
  for (const record of records) {
    if (record.kind === "webhook") {
      const { id, url, attempts, nextAt, waiting } = record;
      // On the clock of the database: the instance that takes it over may have another.
      await connection.query(
        `INSERT INTO council.webhooks (run_id, owner, url, attempts, next_at)
         VALUES ($1, $2, $3, $4, (extract(epoch FROM clock_timestamp()) * 1000)::bigint + $5)
         ON CONFLICT (run_id) DO UPDATE SET owner = excluded.owner, attempts = excluded.attempts, next_at = excluded.next_at`,
        [id, waiting ? "" : owner, url, attempts, Math.round(nextAt - Date.now())],
      );
    }
    if (record.kind === "webhook_done")
      await connection.query("DELETE FROM council.webhooks WHERE run_id = $1", [record.id]);
  }
}

async function writeMeasurements(connection: Queryable, records: OfKind<"measurement">[]): Promise<void> {
  for (const { subject, id, at, data } of records)
    await connection.query(
      `INSERT INTO council.measurements (subject, id, at, data) VALUES ($1, $2, $3, $4)
       ON CONFLICT (subject, id) DO UPDATE SET at = excluded.at, data = excluded.data`,
      [subject, id, Math.round(at), data],
    );
}

function resultText(response: string): string {
  try {
    const { result } = JSON.parse(response) as { result?: unknown };
    return typeof result === "string" ? result : JSON.stringify(result ?? "");
  } catch {
    return "";
  }
}
