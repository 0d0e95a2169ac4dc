import type { Log } from "@mci-ts/council";
import { withTimeout } from "@mci-ts/http-guard";
import type { RunSummary } from "../api/run-schemas.ts";
import { ConfigError, type StoreConfig } from "../config/config.ts";
import { loadPostgres } from "../postgres.ts";
import type { Expenses, HistoryReads, SharedRuns, StoreBackend } from "./backend.ts";
import { BatchWriter, type WriterStats } from "./batch-writer.ts";
import type { RunDetailRow, RunRow, StoredRun, StoreRecord } from "./records.ts";

/** The history of runs. Reads may reject; recording never throws and never blocks a response. */
export interface Store extends HistoryReads {
  record(record: StoreRecord): void;
  /** Calls back when a run of this process begins or ends. The result stops it. */
  onRunChange(listener: () => void): () => void;
  /**
   * Resolves when everything recorded so far is on disk. At once for a history in memory, with relaxed durability, and while
   * writing to SQLite fails; after a few seconds at the latest, so that a hanging disk does not hold back responses. A history that
   * instances share rejects where a record of the run was refused or is in doubt: others would never know of its response.
   */
  commit(runId?: string): Promise<void>;
  /** As `commit`, whatever the durability, and rejects after a few seconds: for responses that promise that a run can be found. */
  recorded(): Promise<void>;
  /** Present only with DATABASE_URL. */
  readonly shared?: SharedRuns;
  /** Present only without DATABASE_URL. */
  readonly expenses?: Expenses;
  readonly stats: WriterStats;
  /** Writes queued records, for at most a few seconds. */
  close(): Promise<void>;
}

/** Opens the history. One that cannot be used prevents startup; later errors only stop the recording. */
export async function openStore(config: StoreConfig, log: Log, instance?: string): Promise<Store> {
  const backend = await openBackend(config, log, instance).catch((error: unknown) => {
    throw historyError(config, error);
  });
  const { shared, expenses } = backend;
  const writer = new BatchWriter((records) => backend.write(records), log, backend.kindOfError);
  const durable = config.durability === "full" && (config.dir !== undefined || shared !== undefined);
  const listeners = new Set<() => void>();
  // Reads see what was recorded before them, unless writing fails.
  const read = <T>(work: () => Promise<T>): Promise<T> => withinTimeout(writer.flush().then(work));
  return {
    record(record) {
      writer.enqueue(toStorableRecord(record));
      if (record.kind === "started" || record.kind === "ended") for (const listener of listeners) listener();
    },
    onRunChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async commit(runId) {
      shared?.lost.throwIfAborted();
      if (!durable) return;
      if (shared) {
        await withinTimeout(writer.flush(), SHARED_COMMIT_TIMEOUT_MS);
        const reason = runId === undefined ? undefined : writer.reasonDropped(runId);
        if (reason !== undefined) throw new Error(reason);
        return;
      }
      try {
        await withinTimeout(writer.flush());
      } catch (error) {
        log(`history: a response was sent before its record was on disk (${(error as Error).message})`);
      }
    },
    recorded: () => withinTimeout(writer.flush()),
    list: async (query) => (await read(() => backend.list(query))).map((row) => toSummary(row, 200)),
    count: (query) => read(() => backend.count(query)),
    calls: (id, call) => read(() => backend.calls(id, call)),
    async get(id) {
      const row = await read(() => backend.get(id));
      return row && toStoredRun(row);
    },
    events: (id, after) => read(() => backend.events(id, after)),
    remove: (id) => read(() => backend.remove(id)),
    findByKey: (key) => read(() => backend.findByKey(key)),
    findCached: (key, since) => read(() => backend.findCached(key, since)),
    measurement: (subject, id) => read(() => backend.measurement(subject, id)),
    measurements: (subject) => read(() => backend.measurements(subject)),
    agreements: () => read(() => backend.agreements()),
    sessionCost: (session) => read(() => backend.sessionCost(session)),
    claimWebhooks: (filter) => read(() => backend.claimWebhooks(filter)),
    countWebhooks: () => read(() => backend.countWebhooks()),
    ...(shared ? { shared } : {}),
    ...(expenses
      ? {
          expenses: {
            spentSince: (since: number, subject?: string) => read(() => expenses.spentSince(since, subject)),
            unpricedSince: (since: number, subject?: string) =>
              read(() => expenses.unpricedSince(since, subject)),
          },
        }
      : {}),
    get stats() {
      return writer.stats;
    },
    async close() {
      const closed = writer.close().finally(() => backend.close());
      await withinTimeout(closed).catch((error: Error) => log(`history: ${error.message}`));
    },
  };
}

function toStoredRun({ request, http_status, response, ...row }: RunDetailRow): StoredRun {
  return {
    ...toSummary(row, Number.POSITIVE_INFINITY),
    request: JSON.parse(request),
    http_status,
    response: response === null ? null : JSON.parse(response),
  };
}

function toSummary(
  { prompt, started_at, ended_at, subject, ...row }: RunRow,
  promptChars: number,
): RunSummary {
  return {
    ...row,
    // Only services behind an issuer know whose it is.
    ...(subject !== null && subject !== undefined && { subject }),
    prompt: prompt.slice(0, promptChars),
    started_at: new Date(started_at).toISOString(),
    ended_at: ended_at === null ? null : new Date(ended_at).toISOString(),
  };
}

async function openBackend(config: StoreConfig, log: Log, instance?: string): Promise<StoreBackend> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await loadPostgres();
    return openPostgresStore({ ...config, databaseUrl: config.databaseUrl, instance, log });
  }
  const { openSqlite } = await import("./sqlite-backend.ts");
  return openSqlite(config);
}

/** The error that prevents startup: the history cannot be opened, or is damaged. */
export function historyError({ dir, databaseUrl }: StoreConfig, error: unknown): ConfigError {
  if (error instanceof ConfigError) return error;
  const { message } = error as Error;
  const problem =
    databaseUrl === undefined
      ? `MCI_DATA_DIR: the history in ${dir} cannot be used: ${message}. Name a folder that can be written, or none to keep the history in memory`
      : `DATABASE_URL: the history cannot be used: ${message}`;
  return new ConfigError([problem], "The service cannot start");
}

const STORE_TIMEOUT_MS = 5000;
/** A database that fails over or restarts takes a while, and an answer that was paid for is worth the wait. */
const SHARED_COMMIT_TIMEOUT_MS = 10_000;

/** A hanging disk must not hang the caller. */
function withinTimeout<T>(work: Promise<T>, timeoutMs = STORE_TIMEOUT_MS): Promise<T> {
  return withTimeout(timeoutMs, work, () => {
    throw new Error(`no response within ${timeoutMs} ms`);
  });
}

/**
 * A record as every store takes it. Names and counts of a run come from a provider and may be anything; a column refuses fractions
 * and what is too large, and with one record everything else of its batch.
 */
function toStorableRecord(record: StoreRecord): StoreRecord {
  if (record.kind !== "ended") return record;
  const { tool, model, answer, calls, inputTokens, outputTokens, agreed, votes } = record;
  return {
    ...record,
    tool: shorten(tool),
    model: shorten(model),
    ...(answer === undefined
      ? {}
      : { answer: answer.slice(0, MAX_NAME_CHARS).replaceAll("\0", "").toWellFormed() }),
    calls: toWhole(calls, MAX_INTEGER),
    inputTokens: toWhole(inputTokens, Number.MAX_SAFE_INTEGER),
    outputTokens: toWhole(outputTokens, Number.MAX_SAFE_INTEGER),
    agreed: toWhole(agreed, MAX_INTEGER),
    votes: toWhole(votes, MAX_INTEGER),
  };
}

const MAX_INTEGER = 2 ** 31 - 1;
/** PostgreSQL indexes no more than a third of a page. */
const MAX_NAME_CHARS = 500;

const shorten = (name: string | undefined) => name?.slice(0, MAX_NAME_CHARS);

function toWhole(value: number | undefined, max: number): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.max(-max, Math.min(max, Math.round(value)));
}
