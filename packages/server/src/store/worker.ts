import { parentPort, workerData } from "node:worker_threads";
import { HEARTBEAT_MS, heartbeat, openDatabase } from "./database.ts";
import {
  agreements,
  findByKey,
  findCached,
  getRun,
  listRuns,
  removeRun,
  runEvents,
  spentSince,
  unpricedSince,
} from "./read.ts";
import type { RunQuery, StoreRecord } from "./records.ts";
import { applyRetention, evictOldest, type Retention } from "./retention.ts";
import { claimWebhooks } from "./webhooks.ts";
import { createRecordWriter } from "./write.ts";

/**
 * The thread that owns the database, so that disk waits of SQLite do not block the event loop. Every message gets a reply with its
 * number and a value or an error; no message can end the thread.
 */
export interface WorkerData {
  readonly dir?: string;
  readonly durable: boolean;
  readonly maxMegabytes: number;
  readonly retention: Retention;
  readonly owner: string;
}

export type WorkerRequest = {
  readonly number: number;
  readonly method: string;
  readonly args: readonly unknown[];
};
export type WorkerReply = { readonly number: number; readonly value?: unknown; readonly error?: string };

const RETENTION_INTERVAL_MS = 10 * 60_000;
const RETENTION_PAUSE_MS = 20;

const port = parentPort!;
const { owner, retention, ...options } = workerData as WorkerData;

try {
  const db = openDatabase(options, owner);
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
  const retain = ignoringErrors(() => {
    // In batches, with time for other messages in between.
    if (applyRetention(db, retention)) setTimeout(retain, RETENTION_PAUSE_MS);
  });
  setInterval(retain, RETENTION_INTERVAL_MS);

  let nextEviction: NodeJS.Timeout | undefined;
  const evict = ignoringErrors(() => {
    clearTimeout(nextEviction);
    const more = evictOldest(db, nextEviction !== undefined);
    nextEviction = more ? setTimeout(evict, RETENTION_PAUSE_MS) : undefined;
  });

  const methods: Record<string, (...args: never[]) => unknown> = {
    write: (records: readonly StoreRecord[]) => {
      evict();
      writeRecords(records);
    },
    list: (query: RunQuery) => listRuns(db, query),
    get: (id: string) => getRun(db, id),
    events: (id: string, after: number) => runEvents(db, id, after),
    remove: (id: string) => removeRun(db, id),
    findByKey: (key: string) => findByKey(db, key),
    findCached: (key: string, since: number) => findCached(db, key, since),
    agreements: () => agreements(db),
    spentSince: (since: number) => spentSince(db, since),
    unpricedSince: (since: number) => unpricedSince(db, since),
    claimWebhooks: () => claimWebhooks(db, owner),
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
  // Startup does not wait for it.
  setTimeout(retain, RETENTION_PAUSE_MS);
} catch (error) {
  port.postMessage({ number: 0, error: String((error as Error).message) } satisfies WorkerReply);
  port.close();
}
