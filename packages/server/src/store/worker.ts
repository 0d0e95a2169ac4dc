import { parentPort, workerData } from "node:worker_threads";
import { HEARTBEAT_MS, heartbeat, openDatabase } from "./database.ts";
import {
  agreements,
  findByKey,
  getRun,
  listRuns,
  removeRun,
  runEvents,
  spentSince,
  unpricedSince,
} from "./read.ts";
import type { RunQuery, StoreRecord } from "./records.ts";
import { applyRetention, createRecordWriter, evictOldest } from "./write.ts";

/**
 * The thread that owns the database, so that disk waits of SQLite do not block the event loop. Every message gets a reply with its
 * number and a value or an error; no message can end the thread.
 */
export interface WorkerData {
  readonly dir?: string;
  readonly maxMegabytes: number;
  readonly retention: { readonly days: number; readonly runs: number };
  readonly owner: string;
}

export type WorkerRequest = {
  readonly number: number;
  readonly method: string;
  readonly args: readonly unknown[];
};
export type WorkerReply = { readonly number: number; readonly value?: unknown; readonly error?: string };

const RETENTION_INTERVAL_MS = 10 * 60_000;

const port = parentPort!;
const { owner, retention, ...options } = workerData as WorkerData;

try {
  const db = openDatabase(options, owner);
  applyRetention(db, retention);
  const writeRecords = createRecordWriter(db, owner);
  const ignoringErrors = (work: () => void) => () => {
    try {
      work();
    } catch {
      // The next write fails the same way and reports it.
    }
  };
  setInterval(
    ignoringErrors(() => heartbeat(db, owner)),
    HEARTBEAT_MS,
  );
  setInterval(
    ignoringErrors(() => applyRetention(db, retention)),
    RETENTION_INTERVAL_MS,
  );

  const methods: Record<string, (...args: never[]) => unknown> = {
    write: (records: readonly StoreRecord[]) => {
      evictOldest(db);
      writeRecords(records);
    },
    list: (query: RunQuery) => listRuns(db, query),
    get: (id: string) => getRun(db, id),
    events: (id: string, after: number) => runEvents(db, id, after),
    remove: (id: string) => removeRun(db, id),
    findByKey: (key: string) => findByKey(db, key),
    agreements: () => agreements(db),
    spentSince: (since: number) => spentSince(db, since),
    unpricedSince: (since: number) => unpricedSince(db, since),
    prune: () => applyRetention(db, retention),
    close: () => {
      db.prepare("DELETE FROM owners WHERE id = ?").run(owner);
      db.close();
    },
  };
  port.on("message", ({ number, method, args }: WorkerRequest) => {
    try {
      port.postMessage({ number, value: methods[method]?.(...(args as never[])) } satisfies WorkerReply);
    } catch (error) {
      port.postMessage({ number, error: String((error as Error).message) } satisfies WorkerReply);
    }
  });
  port.postMessage({ number: 0 } satisfies WorkerReply);
} catch (error) {
  port.postMessage({ number: 0, error: String((error as Error).message) } satisfies WorkerReply);
  port.close();
}
