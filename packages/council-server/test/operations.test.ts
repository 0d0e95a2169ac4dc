import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { freePort } from "../../../test/servers.ts";
import { createTestDatabase } from "../../council-postgres/test/database.ts";
import { type FakeProvider, startFakeProvider } from "../../fake-provider/src/server.ts";
import { readConfig } from "../src/config/config.ts";
import { type CouncilServer, serve } from "../src/server.ts";
import { eventually } from "./eventually.ts";
import { post } from "./harness.ts";
import { longTask } from "./long-task.ts";
import { readJson } from "./read-json.ts";

/** A process runs tasks once: one service for the tests of this file. */
let server: CouncilServer;
let database: pg.Client;
let provider: FakeProvider;
const MAX_TASKS = 2;
/** Nothing listens there. */
const receiver = `127.0.0.1:${await freePort()}`;
const BUSY_MACHINE = { timeout: 60_000, interval: 100 };

beforeAll(async () => {
  const databaseUrl = await createTestDatabase();
  database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  provider = await startFakeProvider({ rules: [{ reply: { kind: "hang" } }] });
  const settings = {
    ...{ PORT: "0", MCI_DETECT_LOCAL: "0", MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" },
    ...{ DATABASE_URL: databaseUrl, MCI_DATABASE_CONNECTIONS: "2" },
    ...{ MCI_WEBHOOK_HOSTS: receiver, MCI_WEBHOOK_SECRET: "a-secret-of-some-length" },
    ...{ MCI_MAX_TASKS: String(MAX_TASKS), MCI_TASK_RETRIES: "0", MCI_TASK_RETENTION_DAYS: "1" },
  };
  server = await serve(readConfig(settings), { log: () => {} });
});
afterAll(async () => {
  await server.close();
  await provider.close();
  await database.end();
});

const task = async (path: string, sent?: object) => {
  const url = `${server.url}/tasks${path}`;
  return readJson(await (sent === undefined ? fetch(url) : post(url, sent)));
};

/** The value of a metric; of one with labels the sum. */
async function metric(name: string): Promise<number> {
  const page = await (await fetch(`${server.url}/metrics`)).text();
  const samples = [...page.matchAll(new RegExp(`^${name}(?:\\{.*\\})? (\\S+)$`, "gm"))];
  expect(samples, `${name} has a sample`).not.toEqual([]);
  return samples.reduce((sum, [, value]) => sum + Number(value), 0);
}

test("[TS-settings] tasks that ended longer ago than MCI_TASK_RETENTION_DAYS are deleted as soon as tasks are opened", async () => {
  await database.query(
    `INSERT INTO council.tasks (id, kind, spec, progress, result, created_at, ended_at)
     SELECT id, 'plan', '{"kind": "plan", "prompt": "Write a report"}', '{"charged": {"calls": 0}}', '"done"', ended_at, ended_at
     FROM (VALUES ('old', now() - interval '25 h'), ('recent', now() - interval '23 h')) AS ended (id, ended_at)`,
  );
  await eventually(async () => (await task("")).tasks.map(({ id }: { id: string }) => id)).toEqual([
    "recent",
  ]);
});

test("[TS-metrics] [TS-settings] metrics and tasks say what runs where since when, how long others wait, and what was lost", async () => {
  const before = Date.now();
  const webhook = `http://${receiver}/done`;
  const sent = { ...longTask(5), webhook };
  const ids = await Promise.all([1, 2, 3].map(async () => (await task("", sent)).id as string));
  await expect.poll(() => metric("council_tasks_running"), BUSY_MACHINE).toBe(MAX_TASKS);
  expect(await metric("council_tasks_queued")).toBe(1);
  for (const name of ["council_task_idle_seconds", "council_task_queue_age_seconds"]) {
    await expect.poll(() => metric(name), BUSY_MACHINE).toBeGreaterThan(1);
    expect(await metric(name)).toBeLessThan((Date.now() - before) / 1000 + 2);
  }
  const { tasks: running } = await task("?status=running");
  const { rows: instances } = await database.query("SELECT id FROM council.instances");
  for (const { instance, running_since } of running) {
    expect(instances.map(({ id }) => id)).toContain(instance);
    expect(Date.parse(running_since)).toBeGreaterThan(before - 2000);
    expect(Date.parse(running_since)).toBeLessThan(Date.now() + 2000);
  }

  expect(await metric("council_tasks_stalled")).toBe(0);
  await database.query("UPDATE council.tasks SET running_since = now() - interval '1 h' WHERE id = $1", [
    running[1].id,
  ]);
  await expect.poll(() => metric("council_tasks_stalled"), BUSY_MACHINE).toBe(1);
  expect((await task(`/${running[1].id}`)).stalled_ms).toBeGreaterThan(3_500_000);

  // As an instance that was killed leaves its task and its lease.
  expect(await metric("council_task_takeovers_total")).toBe(0);
  expect(await metric("council_instances_lost_total")).toBe(0);
  await database.query(
    "INSERT INTO council.instances (id, lock_key, seen_at) VALUES ('gone', 1, now() - interval '1 h')",
  );
  await database.query(
    "UPDATE dbos.workflow_status SET executor_id = 'gone', owner_xid = 'gone' WHERE workflow_uuid = $1",
    [running[0].id],
  );
  await expect.poll(() => metric("council_instances_lost_total"), BUSY_MACHINE).toBe(1);
  await expect.poll(() => metric("council_task_takeovers_total"), BUSY_MACHINE).toBe(1);

  expect(await metric("council_task_webhooks_pending")).toBe(0);
  for (const id of ids) await task(`/${id}/cancel`, {});
  await expect.poll(() => metric("council_task_webhooks_pending"), BUSY_MACHINE).toBe(ids.length);
  await post(
    `${server.url}/mcp/model`,
    { prompt: "Tabs or spaces?", config: { webhook } },
    { headers: { prefer: "respond-async" } },
  );
  expect(await metric("council_webhooks_pending")).toBe(1);
}, 120_000);

test("[TS-metrics] statements that wait for a connection are a metric", async () => {
  await database.query("BEGIN; LOCK TABLE council.runs IN ACCESS EXCLUSIVE MODE");
  try {
    const reads = Array.from({ length: 5 }, () => fetch(`${server.url}/runs`));
    await expect.poll(() => metric("council_database_waiting"), BUSY_MACHINE).toBeGreaterThan(0);
    await database.query("ROLLBACK");
    await Promise.all(reads);
  } finally {
    await database.query("ROLLBACK");
  }
  await expect.poll(() => metric("council_database_waiting"), BUSY_MACHINE).toBe(0);
});

test("[TS-settings] with MCI_TASK_RETRIES=0 a task whose provider cannot be reached waits for a person", async () => {
  await provider.close();
  const { id } = await task("", longTask(5));
  await expect.poll(async () => (await task(`/${id}`)).status, BUSY_MACHINE).toBe("paused");
  const paused = await task(`/${id}`);
  expect(paused.error.code).toBe("transport");
  expect(paused).not.toHaveProperty("retry_at");
}, 90_000);
