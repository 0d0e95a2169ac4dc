import type { DatabaseSync } from "node:sqlite";

/** Runs deleted by one statement. */
const CHUNK = 20;
/** Pages given back to the file system with one batch. */
const VACUUM_PAGES = 2000;

export interface Retention {
  readonly days: number;
  readonly runs: number;
}

/** Deletes one batch of runs beyond the limits; running ones stay. True while more are left. */
export function applyRetention(db: DatabaseSync, retention: Retention, batchMs: number): boolean {
  const before = Date.now() - retention.days * 86_400_000;
  const expired = db.prepare(
    `DELETE FROM runs WHERE id IN (
       SELECT id FROM runs WHERE started_at < ? AND status <> 'running' ORDER BY started_at, id LIMIT ?)`,
  );
  const excess = () => count(db, "SELECT count(*) FROM runs") - retention.runs;
  const oldest = deleteOldest(db);
  return deleteInBatch(db, batchMs, () => {
    const deleted = Number(expired.run(before, CHUNK).changes);
    if (deleted > 0) return deleted;
    const limit = Math.min(CHUNK, excess());
    return limit > 0 ? oldest(limit) : 0;
  });
}

/**
 * Makes room when less than a quarter of the allowed size is free: deletes one batch of the oldest runs, and reports true until
 * half is free (`started` continues what was begun). Running ones stay.
 */
export function evictOldest(db: DatabaseSync, started: boolean, batchMs: number): boolean {
  const maxPages = count(db, "PRAGMA max_page_count");
  const used = () => (count(db, "PRAGMA page_count") - count(db, "PRAGMA freelist_count")) / maxPages;
  if (used() < (started ? 0.5 : 0.75)) return false;
  const oldest = deleteOldest(db);
  // A few runs may fill the whole size, so a chunk is a small part of them.
  const chunk = Math.min(CHUNK, Math.ceil(count(db, "SELECT count(*) FROM runs") / 20));
  // Near the limit there is no time for batches: the next records would not fit.
  return deleteInBatch(
    db,
    batchMs,
    () => (used() > 0.5 ? oldest(chunk) : 0),
    () => used() > 0.9,
  );
}

/** Repeats the deletion until it finds nothing (false) or its time is up (true). `urgent` overrides the time. */
function deleteInBatch(
  db: DatabaseSync,
  batchMs: number,
  deleteChunk: () => number,
  urgent = () => false,
): boolean {
  const end = performance.now() + batchMs;
  let any = false;
  let more = true;
  while (more && (performance.now() < end || urgent())) {
    more = deleteChunk() > 0;
    any ||= more;
  }
  if (any) db.exec(`PRAGMA incremental_vacuum(${VACUUM_PAGES})`);
  return more;
}

function deleteOldest(db: DatabaseSync): (limit: number) => number {
  const statement = db.prepare(
    "DELETE FROM runs WHERE id IN (SELECT id FROM runs WHERE status <> 'running' ORDER BY started_at, id LIMIT ?)",
  );
  return (limit) => Number(statement.run(limit).changes);
}

function count(db: DatabaseSync, query: string): number {
  return Object.values(db.prepare(query).get()!)[0] as number;
}
