import type { DatabaseSync } from "node:sqlite";
import type { WebhookFilter } from "./backend.ts";
import { type DatabaseOptions, HEARTBEAT_MS, heartbeat, openDatabase } from "./database.ts";
import { spentSince, unpricedSince } from "./expenses.ts";
import {
  agreements,
  countRuns,
  findByKey,
  findCached,
  getRun,
  listRuns,
  measurement,
  measurements,
  removeRun,
  runCalls,
  runEvents,
  sessionCost,
} from "./read.ts";
import type { MeasurementSubject, PendingWebhook, RunQuery, StoreRecord } from "./records.ts";
import { applyRetention, evictOldest, type Retention } from "./retention.ts";
import { createRecordWriter } from "./write.ts";

export interface HistoryOptions extends DatabaseOptions {
  readonly retention: Retention;
  /** Time that one batch of deletions may take; everything else in the thread waits that long. */
  readonly batchMs: number;
  readonly owner: string;
}

const RETENTION_INTERVAL_MS = 10 * 60_000;
const RETENTION_PAUSE_MS = 20;

/** The history in SQLite, in the thread of the caller. Every call blocks until it is done; what fails throws. */
export function openHistory({ retention, batchMs, owner, ...options }: HistoryOptions) {
  const db = openDatabase(options, owner);
  const writeRecords = createRecordWriter(db, owner);
  const maintenance = startMaintenance(db, { retention, batchMs, owner });
  return {
    write: (records: readonly StoreRecord[]) => {
      maintenance.evict();
      writeRecords(records);
    },
    list: (query: RunQuery) => listRuns(db, query),
    count: (query: RunQuery) => countRuns(db, query),
    calls: (id: string, call?: number) => runCalls(db, id, call),
    get: (id: string) => getRun(db, id),
    events: (id: string, after: number) => runEvents(db, id, after),
    remove: (id: string) => removeRun(db, id),
    findByKey: (key: string) => findByKey(db, key),
    findCached: (key: string, since: number) => findCached(db, key, since),
    agreements: () => agreements(db),
    measurement: (subject: MeasurementSubject, id: string) => measurement(db, subject, id),
    measurements: (subject: MeasurementSubject) => measurements(db, subject),
    sessionCost: (session: string) => sessionCost(db, session),
    spentSince: (since: number, subject?: string) => spentSince(db, since, subject),
    unpricedSince: (since: number, subject?: string) => unpricedSince(db, since, subject),
    claimWebhooks: (filter?: WebhookFilter) => claimWebhooks(db, owner, filter),
    countWebhooks: () => Number(db.prepare("SELECT count(*) AS count FROM webhooks").get()!["count"]),
    close: () => {
      maintenance.stop();
      db.prepare("DELETE FROM owners WHERE id = ?").run(owner);
      db.close();
    },
  };
}

export type History = ReturnType<typeof openHistory>;

/** Heartbeats, retention and eviction, as long as the history is open. */
function startMaintenance(
  db: DatabaseSync,
  { retention, batchMs, owner }: Pick<HistoryOptions, "retention" | "batchMs" | "owner">,
) {
  const ignoringErrors = (work: () => void) => () => {
    try {
      work();
    } catch {
      // The next write fails the same way and reports it.
    }
  };
  let nextBatch: NodeJS.Timeout | undefined;
  const retain = ignoringErrors(() => {
    // In batches, with time for other work in between.
    if (applyRetention(db, retention, batchMs)) nextBatch = setTimeout(retain, RETENTION_PAUSE_MS);
  });
  let nextEviction: NodeJS.Timeout | undefined;
  const evict = ignoringErrors(() => {
    clearTimeout(nextEviction);
    const more = evictOldest(db, nextEviction !== undefined, batchMs);
    nextEviction = more ? setTimeout(evict, RETENTION_PAUSE_MS) : undefined;
  });
  const intervals = [
    setInterval(
      ignoringErrors(() => heartbeat(db, owner)),
      HEARTBEAT_MS,
    ),
    setInterval(retain, RETENTION_INTERVAL_MS),
  ];
  // Startup does not wait for it.
  nextBatch = setTimeout(retain, RETENTION_PAUSE_MS);
  return {
    evict,
    stop() {
      for (const interval of intervals) clearInterval(interval);
      clearTimeout(nextBatch);
      clearTimeout(nextEviction);
    },
  };
}

/** Webhooks taken over at once. */
const BATCH = 100;

/** Gives this process the webhooks whose process is dead and whose run is over. */
function claimWebhooks(
  db: DatabaseSync,
  owner: string,
  { limit, skipHosts }: WebhookFilter = { limit: BATCH, skipHosts: [] },
): PendingWebhook[] {
  const claimed = db
    .prepare(
      `UPDATE webhooks SET owner = ? WHERE run_id IN (
         SELECT run_id FROM webhooks LEFT JOIN runs ON id = run_id
         WHERE webhooks.owner NOT IN (SELECT id FROM owners) AND coalesce(status, 'interrupted') <> 'running'
           AND NOT EXISTS (SELECT 1 FROM json_each(?) WHERE instr(url, '://' || value || '/') BETWEEN 1 AND 6)
         ORDER BY next_at LIMIT ?)
       RETURNING run_id`,
    )
    .all(owner, JSON.stringify(skipHosts), limit) as { run_id: string }[];
  const read = db.prepare(
    `SELECT run_id AS id, url, attempts, next_at AS nextAt, http_status AS httpStatus, response
     FROM webhooks LEFT JOIN runs ON runs.id = run_id WHERE run_id = ?`,
  );
  return claimed.map(({ run_id }) => read.get(run_id) as unknown as PendingWebhook);
}
