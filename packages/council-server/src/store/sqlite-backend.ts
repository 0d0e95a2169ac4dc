import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { StoreConfig } from "../config/config.ts";
import type { StoreBackend } from "./backend.ts";
import type { History, HistoryOptions } from "./history.ts";
import type { WorkerReply, WorkerRequest } from "./worker.ts";

/** Opens the SQLite database: a file in a thread of its own, a history in memory in this one. Rejects when the folder cannot be used. */
export async function openSqlite(config: StoreConfig): Promise<StoreBackend> {
  const options: Omit<HistoryOptions, "batchMs"> = {
    maxMegabytes: config.maxMegabytes,
    retention: { days: config.retentionDays, runs: config.retentionRuns },
    owner: randomUUID(),
  };
  if (config.dir === undefined) return openInMemory({ ...options, batchMs: 5 });
  return openInThread({ ...options, dir: config.dir, durable: config.durability === "full", batchMs: 50 });
}

/** Memory lets no caller wait for a disk, and a thread would be most of what starting the service costs. */
async function openInMemory(options: HistoryOptions): Promise<StoreBackend> {
  const { openHistory } = await import("./history.ts");
  const history = openHistory(options);
  return toBackend(async (name, ...args) => (history[name] as Method)(...args));
}

async function openInThread(options: HistoryOptions): Promise<StoreBackend> {
  const worker = new Worker(WORKER_URL, { workerData: options });
  const call = connectWorker(worker);
  await call.ready;
  const backend = toBackend(call);
  return {
    ...backend,
    async close() {
      try {
        await backend.close();
      } finally {
        await worker.terminate();
      }
    },
  };
}

type Method = (...args: unknown[]) => unknown;

function toBackend(call: (name: keyof History, ...args: unknown[]) => Promise<unknown>): StoreBackend {
  const method = <Name extends keyof History>(name: Name) =>
    ((...args) => call(name, ...args)) as (
      ...args: Parameters<History[Name]>
    ) => Promise<ReturnType<History[Name]>>;
  return {
    write: method("write"),
    list: method("list"),
    count: method("count"),
    calls: method("calls"),
    get: method("get"),
    events: method("events"),
    remove: method("remove"),
    findByKey: method("findByKey"),
    findCached: method("findCached"),
    agreements: method("agreements"),
    measurement: method("measurement"),
    measurements: method("measurements"),
    sessionCost: method("sessionCost"),
    expenses: { spentSince: method("spentSince"), unpricedSince: method("unpricedSince") },
    claimWebhooks: method("claimWebhooks"),
    countWebhooks: method("countWebhooks"),
    close: method("close"),
  };
}

// The build puts the worker beside the bundle; from source it is in this folder.
const WORKER_URL = new URL(
  import.meta.url.endsWith(".ts") ? "./worker.ts" : "./store-worker.js",
  import.meta.url,
);

interface Call {
  (method: string, ...args: unknown[]): Promise<unknown>;
  readonly ready: Promise<unknown>;
}

function connectWorker(worker: Worker): Call {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let next = 0;
  let dead: Error | undefined;
  const expectReply = () => {
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
  const ready = expectReply();
  const call = (method: string, ...args: unknown[]) => {
    const number = next;
    const reply = expectReply();
    if (!dead) worker.postMessage({ number, method, args } satisfies WorkerRequest);
    return reply;
  };
  return Object.assign(call, { ready });
}
