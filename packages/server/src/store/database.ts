import { chmodSync, mkdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { MIGRATIONS } from "./schema.ts";

export interface DatabaseOptions {
  /** Folder of the database; undefined keeps it in memory. */
  readonly dir?: string;
  /** The database stops growing here. */
  readonly maxMegabytes: number;
}

/** Opens the history, brings its tables up to date and closes the books on runs whose process is gone. */
export function openDatabase(
  { dir, maxMegabytes }: DatabaseOptions,
  owner: string,
  now = Date.now(),
): DatabaseSync {
  if (dir !== undefined) createFolder(resolve(dir));
  const file = dir === undefined ? ":memory:" : join(dir, "history.db");
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // Prompts are nobody else's business; the files beside the database take over its rights.
    if (dir !== undefined) chmodSync(file, 0o600);
    db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;");
    const { page_size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
    db.exec(`PRAGMA max_page_count = ${Math.floor((maxMegabytes * 1024 * 1024) / page_size)}`);
    migrate(db);
    heartbeat(db, owner, now);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** With those above it. Node's own `recursive` tries for ever where a file system such as /proc takes no folders. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have been quicker.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Says that this process is alive, so that its running runs are no orphans, and looks after those of others. */
export function heartbeat(db: DatabaseSync, owner: string, now = Date.now()): void {
  db.prepare(
    "INSERT INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
  ).run(owner, process.pid, hostname(), now);
  // Time and again: of a process on another machine, or in a container that is gone, only its silence tells.
  interruptOrphans(db, owner, now);
}

function migrate(db: DatabaseSync): void {
  const { user_version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (user_version > MIGRATIONS.length) {
    throw new Error(
      `history.db has version ${user_version}, this program knows ${MIGRATIONS.length}: it was written by a newer one`,
    );
  }
  for (let version = user_version; version < MIGRATIONS.length; version++) {
    // Two processes may start at once: the second one waits, then finds the work done.
    db.exec("BEGIN IMMEDIATE");
    try {
      const done = db.prepare("PRAGMA user_version").get() as { user_version: number };
      if (done.user_version === version)
        db.exec(`${MIGRATIONS[version]}; PRAGMA user_version = ${version + 1};`);
      db.exec("COMMIT");
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }
}

/** A process that was killed left its runs as "running". Other live processes may share the folder: theirs are left alone. */
function interruptOrphans(db: DatabaseSync, owner: string, now: number): void {
  const owners = db
    .prepare("SELECT id, pid, host, seen_at FROM owners WHERE id <> ?")
    .all(owner) as unknown as Owner[];
  for (const { id } of owners.filter((other) => isDead(other, now)))
    db.prepare("DELETE FROM owners WHERE id = ?").run(id);
  // Also of a process that ended in order: their last record may have been lost to a full disk.
  db.prepare(
    "UPDATE runs SET status = 'interrupted', ended_at = ? WHERE status = 'running' AND owner NOT IN (SELECT id FROM owners)",
  ).run(now);
}

interface Owner {
  readonly id: string;
  readonly pid: number;
  readonly host: string;
  readonly seen_at: number;
}

export const HEARTBEAT_MS = 10_000;

function isDead({ pid, host, seen_at }: Owner, now: number): boolean {
  if (now - seen_at > 6 * HEARTBEAT_MS) return true;
  if (host !== hostname()) return false;
  // Containers restart under the same number: a former self.
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
