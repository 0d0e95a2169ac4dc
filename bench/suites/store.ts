/** What instances that share a history cost their PostgreSQL. The figures of docs/scaling.md. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, openDatabase } from "../../packages/council-postgres/src/database/database.ts";
import { startEmbedded } from "../../packages/council-postgres/src/database/embedded/embedded.ts";
import { openPostgresStore } from "../../packages/council-postgres/src/store/store.ts";
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import type { KeyedRun, StoreBackend } from "../../packages/council-server/src/store/backend.ts";
import type { StoreRecord } from "../../packages/council-server/src/store/records.ts";
import type { Suite, Table } from "../suite.ts";

const EVENTS = 14;
const EVENT_BYTES = 340;
const RESPONSE_BYTES = 600;
const BATCH = 50;
const IDLE_SECONDS = 8;
const WRITE_SECONDS = 4;

export const suite: Suite = {
  title: "A shared history",
  about:
    "Instances on one embedded PostgreSQL, on the same machine and disk; commits wait for the disk. All instances are in one process, so " +
    `their own work shares a core. A run has ${EVENTS} events of ${EVENT_BYTES} bytes and a response of ${RESPONSE_BYTES} bytes.`,
  run: async () => [await measure()],
};

async function measure(): Promise<Table> {
  const folder = mkdtempSync(join(tmpdir(), "council-bench-"));
  const postgres = await startEmbedded(folder);
  const db = openDatabase(postgres.url, { applicationName: "bench" });
  const stores: StoreBackend[] = [];
  const open = async (count: number) => {
    while (stores.length < count) stores.push(await openInstance(postgres.url));
  };
  try {
    const idle: string[] = [];
    for (const count of [1, 2, 4, 8, 16]) {
      await open(count);
      idle.push((await idleTransactions(db)).toFixed(1));
    }
    const [connections] = await db.query<{ n: number }>(
      "SELECT count(*) AS n FROM pg_stat_activity WHERE application_name LIKE 'council-%' AND application_name <> 'council-embedded'",
    );
    for (const store of stores.splice(4)) await store.close();
    const [first, second] = stores as [StoreBackend, StoreBackend];
    const alone = await times(200, () => first.write(runRecords()));
    const rates: string[] = [];
    for (const count of [1, 2, 4]) rates.push((await writeRate(stores.slice(0, count))).toFixed(0));
    const keys = await times(200, () => first.shared!.claimRun(keyedRun()));
    const amounts = (calls: number) => ({ calls, tokens: 0, usd: 0 });
    const exchange = { add: amounts(0), take: amounts(64), limits: amounts(1e9) };
    const chunks = await times(200, () => first.shared!.exchangeBudget(exchange));
    const notified = await notificationTimes(first, second);
    const rows = [
      ["transactions per second of idle instances: 1, 2, 4, 8, 16", idle.join(", ")],
      ["connections of an idle instance", (connections!.n / 16).toFixed(1)],
      ["a run in the history, with indexes", `${((await bytesPerRun(db)) / 1000).toFixed(1)} kB`],
      ["a run written alone, until its commit", milliseconds(alone)],
      [`runs per second in batches of ${BATCH}, by 1, 2, 4 instances`, rates.join(", ")],
      ["from the write of an event to its notification in another instance", milliseconds(notified)],
      ["claim of an idempotency key", milliseconds(keys)],
      ["up to 64 calls reserved of a shared daily budget", milliseconds(chunks)],
    ];
    return { title: "What it costs", columns: ["what", "measured"], rows };
  } finally {
    for (const store of stores) await store.close();
    await db.close();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function openInstance(databaseUrl: string): Promise<StoreBackend> {
  return openPostgresStore({ ...readConfig({}).store, databaseUrl, log: console.error });
}

async function idleTransactions(db: Database): Promise<number> {
  const count = async () => {
    // Sessions report their counts with a delay; this one is the same at both ends.
    await sleep(1500);
    const [row] = await db.query<{ n: number }>(
      "SELECT xact_commit + xact_rollback AS n FROM pg_stat_database WHERE datname = current_database()",
    );
    return { at: performance.now(), n: row!.n };
  };
  const before = await count();
  await sleep(IDLE_SECONDS * 1000);
  const after = await count();
  return ((after.n - before.n) / (after.at - before.at)) * 1000;
}

async function writeRate(stores: readonly StoreBackend[]): Promise<number> {
  const started = performance.now();
  let written = 0;
  await Promise.all(
    stores.map(async (store) => {
      while (performance.now() - started < WRITE_SECONDS * 1000) {
        await store.write(Array.from({ length: BATCH }, () => runRecords()).flat());
        written += BATCH;
      }
    }),
  );
  return (written / (performance.now() - started)) * 1000;
}

async function notificationTimes(writer: StoreBackend, reader: StoreBackend): Promise<number[]> {
  const [started, ...events] = runRecords();
  await writer.write([started!]);
  let arrived = Promise.withResolvers<void>();
  const stop = await reader.shared!.watch(started!.id, () => arrived.resolve());
  await sleep(500);
  const found: number[] = [];
  for (let n = 0; n < 100; n++) {
    // Followers also look once a second by themselves, which a few of the times contain.
    arrived = Promise.withResolvers();
    const at = performance.now();
    await writer.write([{ ...events[0]!, seq: n + 1 } as StoreRecord]);
    await arrived.promise;
    found.push(performance.now() - at);
    await sleep(20);
  }
  stop();
  return found;
}

async function bytesPerRun(db: Database): Promise<number> {
  const [size] = await db.query<{ bytes: number; runs: number }>(
    `SELECT (SELECT sum(pg_total_relation_size(c.oid)) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE n.nspname = 'council' AND c.relkind = 'r')::bigint AS bytes, (SELECT count(*) FROM council.runs) AS runs`,
  );
  return size!.bytes / size!.runs;
}

async function times(count: number, work: () => Promise<unknown>): Promise<number[]> {
  const found: number[] = [];
  for (let n = 0; n < count; n++) {
    const at = performance.now();
    await work();
    found.push(performance.now() - at);
  }
  return found;
}

function milliseconds(found: readonly number[]): string {
  const sorted = found.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)]!.toFixed(1);
  return `median ${at(0.5)} ms, 95 % under ${at(0.95)} ms`;
}

type RunRecord = Extract<StoreRecord, { id: string }>;

function keyedRun(): KeyedRun {
  const id = randomUUID();
  const question = { channel: "http", prompt: "What is the capital of France?", request: "{}" } as const;
  return { kind: "started", id, at: Date.now(), ...question, idempotencyKey: id, fingerprint: "f" };
}

function runRecords(): RunRecord[] {
  const id = randomUUID();
  const at = Date.now();
  return [
    { kind: "started", id, at, channel: "http", prompt: "What is the capital of France?", request: "{}" },
    ...Array.from(
      { length: EVENTS },
      (_, i): RunRecord => ({
        kind: "event",
        id,
        seq: i + 1,
        at,
        type: "sample.accepted",
        data: json(EVENT_BYTES),
      }),
    ),
    { kind: "ended", id, at, status: "complete", httpStatus: 200, response: json(RESPONSE_BYTES), calls: 3 },
  ];
}

const json = (bytes: number) => JSON.stringify({ answer: "x".repeat(bytes - 13) });
