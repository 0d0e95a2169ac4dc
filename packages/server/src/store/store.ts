import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import { withTimeout } from "@mci-ts/http-guard";
import { ConfigError, type StoreConfig } from "../config/config.ts";
import { BatchWriter, type WriterStats } from "./batch-writer.ts";
import type {
  CachedResponse,
  PendingWebhook,
  RunDetail,
  RunQuery,
  RunSummary,
  StoredResponse,
  StoreRecord,
  UnpricedUsage,
  VoteAgreement,
} from "./records.ts";
import type { WorkerData, WorkerReply, WorkerRequest } from "./worker.ts";

/** The history of runs. Reads may reject; recording never throws and never blocks a response. */
export interface Store {
  record(record: StoreRecord): void;
  /**
   * Resolves when everything recorded so far is on disk. At once for a history in memory, with relaxed durability, and while
   * writing fails; after a few seconds at the latest, so that a hanging disk does not hold back responses.
   */
  commit(): Promise<void>;
  list(query: RunQuery): Promise<RunSummary[]>;
  get(id: string): Promise<RunDetail | undefined>;
  events(id: string, after: number): Promise<{ seq: number; type: string; data: string }[]>;
  remove(id: string): Promise<boolean>;
  findByKey(key: string): Promise<StoredResponse | undefined>;
  findCached(key: string, since: number): Promise<CachedResponse | undefined>;
  agreements(): Promise<VoteAgreement[]>;
  spentSince(since: number): Promise<{ calls: number; tokens: number; usd: number }>;
  unpricedSince(since: number): Promise<UnpricedUsage[]>;
  /** Takes over some of the webhooks that dead processes left behind; the run of each is over. Each is given to one caller. */
  claimWebhooks(): Promise<PendingWebhook[]>;
  readonly stats: WriterStats;
  /** Writes queued records, for at most a few seconds. */
  close(): Promise<void>;
}

/** Starts the database thread. An unusable folder prevents startup; later errors only stop the recording. */
export async function openStore(config: StoreConfig, log: (message: string) => void): Promise<Store> {
  const durable = config.dir !== undefined && config.durability === "full";
  const data: WorkerData = {
    dir: config.dir,
    durable,
    maxMegabytes: config.maxMegabytes,
    retention: { days: config.retentionDays, runs: config.retentionRuns },
    owner: randomUUID(),
  };
  const worker = new Worker(WORKER_URL, { workerData: data });
  const call = connectWorker(worker);
  try {
    await call.ready;
  } catch (error) {
    throw historyError(config, error);
  }
  const writer = new BatchWriter((records) => call("write", records) as Promise<void>, log);
  const read = <T>(method: string, ...args: unknown[]): Promise<T> =>
    // Reads see what was recorded before them, unless writing fails.
    withinTimeout(writer.flush().then(() => call(method, ...args))) as Promise<T>;
  return {
    record: (record) => writer.enqueue(record),
    async commit() {
      if (!durable) return;
      await withinTimeout(writer.flush()).catch((error: Error) =>
        log(`history: a response was sent before its record was on disk (${error.message})`),
      );
    },
    list: (query) => read("list", query),
    get: (id) => read("get", id),
    events: (id, after) => read("events", id, after),
    remove: (id) => read("remove", id),
    findByKey: (key) => read("findByKey", key),
    findCached: (key, since) => read("findCached", key, since),
    agreements: () => read("agreements"),
    spentSince: (since) => read("spentSince", since),
    unpricedSince: (since) => read("unpricedSince", since),
    claimWebhooks: () => read("claimWebhooks"),
    get stats() {
      return writer.stats;
    },
    async close() {
      await withinTimeout(writer.close().then(() => call("close"))).catch((error: Error) =>
        log(`history: ${error.message}`),
      );
      await worker.terminate();
    },
  };
}

/** The error that prevents startup: the history cannot be opened, or is damaged. */
export function historyError({ dir }: StoreConfig, error: unknown): ConfigError {
  return new ConfigError([
    `MCI_DATA_DIR: the history in ${dir} cannot be used: ${(error as Error).message}. Name a folder that can be written, or none to keep the history in memory`,
  ]);
}

// The build puts the worker beside the bundle; from source it is in this folder.
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./store-worker.js",
  import.meta.url,
);

const STORE_TIMEOUT_MS = 5000;

/** A hanging disk must not hang the caller. */
function withinTimeout<T>(work: Promise<T>): Promise<T> {
  return withTimeout(STORE_TIMEOUT_MS, work, () => {
    throw new Error(`no response within ${STORE_TIMEOUT_MS} ms`);
  });
}

interface Call {
  (method: string, ...args: unknown[]): Promise<unknown>;
  readonly ready: Promise<unknown>;
}

function connectWorker(worker: Worker): Call {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  let dead: Error | undefined;
  const wait = () => {
    const pending = Promise.withResolvers<unknown>();
    if (dead) pending.reject(dead);
    else waiting.set(next, pending);
    next++;
    return pending.promise;
  };
  const die = (error: Error) => {
    dead = error;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  };
  worker.on("message", ({ number, value, error }: WorkerReply) => {
    const pending = waiting.get(number);
    waiting.delete(number);
    if (error === undefined) pending?.resolve(value);
    else pending?.reject(new Error(error));
  });
  worker.on("error", die);
  worker.on("exit", () => die(new Error("the history thread has ended")));
  const ready = wait();
  const call = (method: string, ...args: unknown[]) => {
    const number = next;
    const reply = wait();
    if (!dead) worker.postMessage({ number, method, args } satisfies WorkerRequest);
    return reply;
  };
  return Object.assign(call, { ready });
}
