import { chmodSync, mkdirSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { isAlive } from "@mci-ts/primitives/is-alive";
import { MIGRATIONS } from "./schema.ts";

export interface DatabaseOptions {
  /** Folder of the database; undefined keeps it in memory. */
  readonly dir?: string;
  /** Whether a commit waits until the disk has the data. Default false: it survives the process, not a power failure. */
  readonly durable?: boolean;
  /** Maximum size of the database. */
  readonly maxMegabytes: number;
}

/** Opens the history, migrates its tables and marks runs of dead processes as interrupted. */
export function openDatabase(
  { dir, durable = false, maxMegabytes }: DatabaseOptions,
  owner: string,
): DatabaseSync {
  if (dir !== undefined) createFolder(resolve(dir));
  const file = dir === undefined ? ":memory:" : join(dir, "history.db");
  const db = new DatabaseSync(file, { timeout: 5000 });
  try {
    // Prompts are private; SQLite gives the files beside the database the same permissions.
    if (dir !== undefined) chmodSync(file, 0o600);
    db.exec("PRAGMA auto_vacuum = INCREMENTAL; PRAGMA journal_mode = WAL");
    db.exec(`PRAGMA synchronous = ${durable ? "FULL" : "NORMAL"}`);
    const { page_size } = db.prepare("PRAGMA page_size").get() as { page_size: number };
    db.exec(`PRAGMA max_page_count = ${Math.floor((maxMegabytes * 1024 * 1024) / page_size)}`);
    migrate(db);
    heartbeat(db, owner);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Creates parents as well. Node's own `recursive` loops forever on file systems such as /proc that allow no folders. */
function createFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  const parent = dirname(path);
  if (parent !== path) createFolder(parent);
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process may have created it first.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}

/** Marks this process as alive, and the runs of dead processes as interrupted. */
export function heartbeat(db: DatabaseSync, owner: string, now = Date.now()): void {
  db.prepare(
    "INSERT INTO owners (id, pid, host, seen_at) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at",
  ).run(owner, process.pid, hostname(), now);
  // Repeatedly: a dead process on another machine or in a removed container is only known by its missing heartbeat.
  interruptOrphans(db, owner, now);
}

function migrate(db: DatabaseSync): void {
  const { user_version } = db.prepare("PRAGMA user_version").get() as { user_version: number };
  if (user_version > MIGRATIONS.length) {
    throw new Error(
      `history.db has version ${user_version}, this program supports ${MIGRATIONS.length}: it was written by a newer version`,
    );
  }
  for (let version = user_version; version < MIGRATIONS.length; version++) {
    // Two processes may start at once: the second waits, then finds the migration done.
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

/** A killed process leaves its runs as "running". Runs of other live processes that share the folder are left alone. */
function interruptOrphans(db: DatabaseSync, owner: string, now: number): void {
  const owners = db
    .prepare("SELECT id, pid, host, seen_at FROM owners WHERE id <> ?")
    .all(owner) as unknown as Owner[];
  for (const { id } of owners.filter((other) => isDead(other, now)))
    db.prepare("DELETE FROM owners WHERE id = ?").run(id);
  // Includes processes that exited normally: their last record may have been lost to a full disk.
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
  // A container restarts with the same pid: this is its previous process.
  return pid === process.pid || !isAlive(pid);
}
