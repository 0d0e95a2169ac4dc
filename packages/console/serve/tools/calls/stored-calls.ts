import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { isAlive } from "@mci-ts/primitives/is-alive";
import type { CallRecord } from "../types.ts";
import type { CallStore } from "./call-store.ts";

/** Characters of all details in the file. The oldest are dropped first, and say so. */
const MAX_TOTAL_CHARS = 64 * 1024 * 1024;
/** A file of more is damaged, or another's. */
const MAX_MEGABYTES = 200;
const VERSION = 1;
/** The oldest are dropped each time a part of the limit was added; so much may be there in excess. */
const MAX_SURPLUS = 16;

export interface StoredCallsOptions {
  /** Where the database is. */
  readonly path: string;
  /** Masks secrets in what is about to be stored. */
  readonly mask: <T>(value: T) => Promise<T>;
  /** Details kept, in characters. Default: 64 MB. */
  readonly maxChars?: number;
}

/** Opens the calls of earlier processes. Those that were running when their process ended are marked so. */
export async function openStoredCalls(options: StoredCallsOptions): Promise<StoredCalls> {
  const { DatabaseSync } = await import("node:sqlite");
  const { path } = options;
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  // Created for its owner only; SQLite gives the files beside it the same permissions.
  closeSync(openSync(path, "a", 0o600));
  chmodSync(path, 0o600);
  const db = new DatabaseSync(path, { timeout: 2000 });
  try {
    prepare(db);
    return new StoredCalls(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function prepare(db: DatabaseSync): void {
  // What was removed is overwritten: it may be private.
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA secure_delete = ON");
  const { page_size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
  db.exec(`PRAGMA max_page_count = ${Math.floor((MAX_MEGABYTES * 1024 * 1024) / page_size)}`);
  const { user_version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (user_version > VERSION) throw new Error("The file of calls was written by a newer version of mci.");
  db.exec(`
    CREATE TABLE IF NOT EXISTS calls (id INTEGER PRIMARY KEY, pid INTEGER NOT NULL, state TEXT NOT NULL, record TEXT NOT NULL, detail TEXT) STRICT;
    CREATE TABLE IF NOT EXISTS numbers (last INTEGER NOT NULL) STRICT;
    INSERT INTO numbers SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM numbers);
    PRAGMA user_version = ${VERSION};
  `);
}

export class StoredCalls implements CallStore {
  readonly place: string;
  readonly #db: DatabaseSync;
  readonly #mask: StoredCallsOptions["mask"];
  readonly #maxChars: number;
  /** Characters of details since the oldest were dropped: to count them all reads them all. */
  #added = 0;
  /** Changes follow each other: what was removed is not saved again by what began before. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(db: DatabaseSync, { path, mask, maxChars = MAX_TOTAL_CHARS }: StoredCallsOptions) {
    this.place = path;
    this.#db = db;
    this.#mask = mask;
    this.#maxChars = maxChars;
    this.#dropOldest();
  }

  load(most: number): CallRecord[] {
    const rows = this.#db
      .prepare("SELECT id, pid, record FROM calls ORDER BY id DESC LIMIT ?")
      .all(most) as unknown as { id: number; pid: number; record: string }[];
    this.#db.prepare("DELETE FROM calls WHERE id < ?").run(rows.at(-1)?.id ?? 0);
    return rows.toReversed().map(({ id, pid, record }) => {
      const call: CallRecord = { ...(JSON.parse(record) as CallRecord), id };
      if (call.state !== "running" || (pid !== process.pid && isAlive(pid))) return call;
      const error = "The process ended before this call did: what it has done is not known.";
      const ended: CallRecord = { ...call, state: "cancelled", error };
      this.#write(ended, undefined);
      return ended;
    });
  }

  nextId(): number {
    const row = this.#db.prepare("UPDATE numbers SET last = last + 1 RETURNING last").get();
    return (row as { last: number }).last;
  }

  save(record: CallRecord, detail: string | undefined, onError: (error: Error) => void): void {
    this.#inTurn(async () => {
      const { input, error, ...rest } = record;
      const masked = await this.#mask({ input, error, detail: detail && JSON.parse(detail) });
      this.#write(
        { ...rest, input: masked.input, ...(masked.error === undefined ? {} : { error: masked.error }) },
        masked.detail && JSON.stringify(masked.detail),
      );
    }).catch(onError);
  }

  detail(id: number): string | undefined {
    const row = this.#db.prepare("SELECT detail FROM calls WHERE id = ?").get(id);
    return (row as { detail: string | null } | undefined)?.detail ?? undefined;
  }

  remove(id: number, onError: (error: Error) => void): void {
    this.#inTurn(() => this.#db.prepare("DELETE FROM calls WHERE id = ?").run(id)).catch(onError);
  }

  async clear(): Promise<void> {
    await this.#inTurn(() =>
      this.#db.exec("DELETE FROM calls WHERE state <> 'running'; PRAGMA wal_checkpoint(TRUNCATE)"),
    );
  }

  async close(): Promise<void> {
    await this.#last;
    this.#db.close();
  }

  #inTurn(change: () => unknown): Promise<unknown> {
    const done = this.#last.then(change);
    this.#last = done.catch(() => {});
    return done;
  }

  #write(record: CallRecord, detail: string | undefined): void {
    this.#db
      .prepare(
        `INSERT INTO calls (id, pid, state, record, detail) VALUES (?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET state = excluded.state, record = excluded.record, detail = excluded.detail`,
      )
      .run(record.id, process.pid, record.state, JSON.stringify(record), detail ?? null);
    this.#added += detail?.length ?? 0;
    if (this.#added > this.#maxChars / MAX_SURPLUS) this.#dropOldest();
  }

  /** The newest that fit stay; of the others the list keeps what was called. */
  #dropOldest(): void {
    this.#added = 0;
    this.#db
      .prepare(
        `UPDATE calls SET detail = NULL WHERE detail IS NOT NULL AND id IN (
           SELECT id FROM (SELECT id, SUM(length(detail)) OVER (ORDER BY id DESC) AS total FROM calls) WHERE total > ?)`,
      )
      .run(this.#maxChars);
  }
}
