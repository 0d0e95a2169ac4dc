import { randomUUID } from "node:crypto";
import { Worker } from "node:worker_threads";
import type { StoreConfig } from "../config/config.ts";
import type { HistoryReads, StoreBackend } from "./backend.ts";
import type { WorkerData, WorkerReply, WorkerRequest } from "./worker.ts";

/** Starts the thread that owns the SQLite database. Rejects when the folder cannot be used. */
export async function openSqlite(config: StoreConfig): Promise<StoreBackend> {
  const data: WorkerData = {
    dir: config.dir,
    durable: isDurable(config),
    maxMegabytes: config.maxMegabytes,
    retention: { days: config.retentionDays, runs: config.retentionRuns },
    owner: randomUUID(),
  };
  const worker = new Worker(WORKER_URL, { workerData: data });
  const call = connectWorker(worker);
  await call.ready;
  const method =
    <Name extends keyof HistoryReads>(name: Name) =>
    (...args: Parameters<HistoryReads[Name]>) =>
      call(name, ...args) as ReturnType<HistoryReads[Name]>;
  return {
    write: (records) => call("write", records) as Promise<void>,
    list: method("list"),
    get: method("get"),
    events: method("events"),
    remove: method("remove"),
    findByKey: method("findByKey"),
    findCached: method("findCached"),
    agreements: method("agreements"),
    spentSince: method("spentSince"),
    unpricedSince: method("unpricedSince"),
    claimWebhooks: method("claimWebhooks"),
    async close() {
      try {
        await call("close");
      } finally {
        await worker.terminate();
      }
    },
  };
}

/** Whether a commit waits for the disk. */
function isDurable({ dir, durability }: StoreConfig): boolean {
  return dir !== undefined && durability === "full";
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
