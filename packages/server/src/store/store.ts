import { withTimeout } from "@mci-ts/http-guard";
import { ConfigError, type StoreConfig } from "../config/config.ts";
import { loadPostgres } from "../postgres.ts";
import type { HistoryReads, SharedRuns, StoreBackend } from "./backend.ts";
import { BatchWriter, type WriterStats } from "./batch-writer.ts";
import type { StoreRecord } from "./records.ts";

/** The history of runs. Reads may reject; recording never throws and never blocks a response. */
export interface Store extends HistoryReads {
  record(record: StoreRecord): void;
  /**
   * Resolves when everything recorded so far is on disk. At once for a history in memory, with relaxed durability, and while
   * writing to SQLite fails; after a few seconds at the latest, so that a hanging disk does not hold back responses.
   */
  commit(): Promise<void>;
  /** Only with DATABASE_URL. */
  readonly shared?: SharedRuns;
  readonly stats: WriterStats;
  /** Writes queued records, for at most a few seconds. */
  close(): Promise<void>;
}

/** Opens the history. One that cannot be used prevents startup; later errors only stop the recording. */
export async function openStore(config: StoreConfig, log: (message: string) => void): Promise<Store> {
  const backend = await openBackend(config, log).catch((error: unknown) => {
    throw historyError(config, error);
  });
  const { shared } = backend;
  const writer = new BatchWriter((records) => backend.write(records), log, backend.isTemporary);
  const durable = config.durability === "full" && (config.dir !== undefined || shared !== undefined);
  // Reads see what was recorded before them, unless writing fails.
  const read = <T>(work: () => Promise<T>): Promise<T> => withinTimeout(writer.flush().then(work));
  return {
    record: (record) => writer.enqueue(record),
    async commit() {
      if (!durable) return;
      await withinTimeout(writer.flush()).catch((error: Error) =>
        log(`history: a response was sent before its record was on disk (${error.message})`),
      );
    },
    list: (query) => read(() => backend.list(query)),
    get: (id) => read(() => backend.get(id)),
    events: (id, after) => read(() => backend.events(id, after)),
    remove: (id) => read(() => backend.remove(id)),
    findByKey: (key) => read(() => backend.findByKey(key)),
    findCached: (key, since) => read(() => backend.findCached(key, since)),
    agreements: () => read(() => backend.agreements()),
    spentSince: (since) => read(() => backend.spentSince(since)),
    unpricedSince: (since) => read(() => backend.unpricedSince(since)),
    claimWebhooks: () => read(() => backend.claimWebhooks()),
    ...(shared ? { shared } : {}),
    get stats() {
      return writer.stats;
    },
    async close() {
      const closed = writer.close().finally(() => backend.close());
      await withinTimeout(closed).catch((error: Error) => log(`history: ${error.message}`));
    },
  };
}

async function openBackend(config: StoreConfig, log: (message: string) => void): Promise<StoreBackend> {
  if (config.databaseUrl !== undefined) {
    const { openPostgresStore } = await loadPostgres();
    return openPostgresStore({ ...config, databaseUrl: config.databaseUrl, log });
  }
  const { openSqlite } = await import("./sqlite-backend.ts");
  return openSqlite(config);
}

/** The error that prevents startup: the history cannot be opened, or is damaged. */
export function historyError({ dir, databaseUrl }: StoreConfig, error: unknown): ConfigError {
  if (error instanceof ConfigError) return error;
  const { message } = error as Error;
  return new ConfigError([
    databaseUrl === undefined
      ? `MCI_DATA_DIR: the history in ${dir} cannot be used: ${message}. Name a folder that can be written, or none to keep the history in memory`
      : `DATABASE_URL: the history cannot be used: ${message}`,
  ]);
}

const STORE_TIMEOUT_MS = 5000;

/** A hanging disk must not hang the caller. */
function withinTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout(STORE_TIMEOUT_MS, work, () => {
    throw new Error(`no response within ${STORE_TIMEOUT_MS} ms`);
  });
}
