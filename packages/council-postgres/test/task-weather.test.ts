import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Model, TaskView } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { type OpenTasks, openTasks } from "../src/tasks/open-tasks.ts";
import { createTaskStore } from "../src/tasks/store/task-store.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

const ID = "weather";
const STEPS = 15;
const SPEC = hanoiTask(4, { k: 2 });
let url: string;
let db: Database;
let observer: Database;
let tasks: OpenTasks;
const logged: string[] = [];
const right = hanoiModel({ errorRate: 0 });
/** Votes on this move and later ones wait until they are released. */
let held = Number.POSITIVE_INFINITY;
let released = Promise.withResolvers<void>();
let calls: number[] = [];

const model: Model = {
  async complete(request, signal) {
    const move = Number(/Move (\d+)/.exec(request.messages.at(-1)!.content)![1]);
    calls.push(move);
    if (move >= held) await released.promise;
    return right.complete(request, signal);
  },
};

beforeAll(async () => {
  url = await createTestDatabase();
  db = openDatabase(url, { applicationName: `council-${ID}` });
  observer = openDatabase(url, { applicationName: "observer" });
  const log = (message: string) => logged.push(message);
  tasks = await openTasks({ db, engine: await testEngine(model), executorId: ID, sweepMs: 100, log });
});
afterAll(async () => {
  release();
  await tasks.close();
  await db.close();
  await observer.close();
});

/** A task that waits in the vote on that move. */
async function createHeldAt(move: number): Promise<string> {
  held = move;
  calls = [];
  released = Promise.withResolvers<void>();
  const { id } = await tasks.create(SPEC);
  await until(async () => calls.includes(move));
  return id;
}

function release(): void {
  held = Number.POSITIVE_INFINITY;
  released.resolve();
}

async function finished(id: string): Promise<TaskView> {
  await until(async () => ["complete", "failed", "paused"].includes((await tasks.get(id)).status));
  return tasks.get(id);
}

async function expectWhole(id: string): Promise<void> {
  expect(await finished(id)).toMatchObject({ status: "complete", step: STEPS });
  const steps = await tasks.steps(id, 1, 100);
  expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: STEPS }, (_, i) => i + 1));
  for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
}

test("[TD-weather] a database that is read-only for a while, as a standby before its promotion, is waited for", async () => {
  const id = await createHeldAt(4);
  const name = new URL(url).pathname.slice(1);
  const setReadOnly = async (value: "on" | "off") => {
    await observer.transaction(async (on) => {
      await on.query("SET TRANSACTION READ WRITE");
      await on.query(`ALTER DATABASE ${name} SET default_transaction_read_only = ${value}`);
    });
    await observer.query(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = $1",
      [`council-${ID}`],
    );
  };
  await setReadOnly("on");
  release();
  // Its record was refused.
  await until(async () => logged.some((line) => line.includes("read-only")) || calls.includes(4));
  expect((await observer.query("SELECT FROM council.task_steps WHERE task_id = $1", [id])).length).toBe(3);
  await setReadOnly("off");
  await expectWhole(id);
}, 120_000);

/** As after a statement of the engine that was cancelled between its claim and the start: owned, but not in memory. */
const strand = (id: string, instance = ID) =>
  observer.query(
    `UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = $2, owner_xid = 'lost', queue_name = $3 WHERE workflow_uuid = $1`,
    [id, instance, `tasks.${instance}`],
  );

test("[TD-weather] a task stays locked while the engine takes seconds for it, as over a slow network", async () => {
  const { id } = await tasks.create(SPEC);
  const store = createTaskStore(db);
  const slowly = () => new Promise<void>((resolve) => setTimeout(resolve, 2500));
  await Promise.all([
    store.change(id, slowly),
    store.placement.exclusively(observer, async (on) => {
      await slowly();
      await on.query("SELECT 1");
    }),
  ]);
  await store.unlessCancelled([id], slowly);
}, 60_000);

test("[TD-weather] what an instance was given but does not run is begun again by it", async () => {
  const other = await createHeldAt(4);
  await tasks.cancel(other);
  await observer.query("UPDATE council.tasks SET ended_at = NULL WHERE id = $1", [other]);
  await strand(other);
  release();
  await expectWhole(other);
  expect(logged).toContainEqual(`task ${other} belongs to this instance but does not run: it is begun again`);
}, 120_000);

test.each([
  ["the instance that was given it", () => strand],
  ["an instance that is gone", () => (id: string) => strand(id, "gone")],
  [
    "the queue of an instance",
    () => (id: string) =>
      observer.query(
        "UPDATE dbos.workflow_status SET status = 'ENQUEUED', owner_xid = NULL, queue_name = $2 WHERE workflow_uuid = $1",
        [id, `tasks.${ID}`],
      ),
  ],
])(
  "[TD-cancelled] a task that was cancelled stays cancelled where the engine leaves it to %s",
  async (_, leave) => {
    const id = await createHeldAt(4);
    await tasks.cancel(id);
    await leave()(id);
    release();
    await until(async () => (await tasks.get(id)).status === "cancelled");
    const [workflow] = await observer.query<{ status: string }>(
      "SELECT status FROM dbos.workflow_status WHERE workflow_uuid = $1",
      [id],
    );
    expect(workflow!.status).toBe("CANCELLED");
    expect(await tasks.get(id)).toMatchObject({ status: "cancelled", step: 3 });
  },
  120_000,
);

test("[TD-numbers] steps that a failover has lost are voted on again: no number is skipped, given twice or moved", async () => {
  const id = await createHeldAt(9);
  // An asynchronous replica that is promoted has a prefix of what was committed.
  await observer.query("DELETE FROM council.task_steps WHERE task_id = $1 AND step > 5", [id]);
  release();
  await expectWhole(id);
  expect(logged).toContainEqual(`task ${id}: 3 recorded steps are gone; it goes on from step 6`);
  for (const lost of [6, 7, 8]) expect(calls.filter((move) => move === lost)).toHaveLength(4);
}, 120_000);

test("[TD-engine] dbos workflow cancel and resume leave a task that is what they say", async () => {
  const id = await createHeldAt(4);
  const list = await dbos("list");
  expect(list).toContain(id);
  await dbos("cancel", id);
  expect(await tasks.get(id)).toMatchObject({ status: "cancelled", step: 3 });
  await dbos("resume", id);
  release();
  await expectWhole(id);

  const paused = await createHeldAt(4);
  const pausing = tasks.pause(paused);
  const isAsked = "SELECT FROM council.tasks WHERE id = $1 AND control = 'pause'";
  await until(async () => (await observer.query(isAsked, [paused])).length > 0);
  release();
  expect(await pausing).toMatchObject({ status: "paused", step: 4, error: { code: "requested" } });
  await dbos("resume", paused);
  await expectWhole(paused);
}, 120_000);

test("[TD-stalled] a task that has not moved for longer than its step may take says so", async () => {
  const id = await createHeldAt(4);
  expect((await tasks.get(id)).stalled_ms).toBeUndefined();
  expect((await tasks.counts()).stalled).toBe(0);
  await observer.query("UPDATE council.tasks SET running_since = now() - interval '2 h' WHERE id = $1", [id]);
  await observer.query(
    "UPDATE council.task_steps SET decided_at = now() - interval '1 h' WHERE task_id = $1",
    [id],
  );
  const stalled = await tasks.get(id);
  expect(stalled.stalled_ms).toBeGreaterThanOrEqual(3_600_000);
  expect(stalled).toMatchObject({ status: "running", instance: ID });
  // A rate that fades instead of one that stays as it was.
  expect(stalled.rate).toBeLessThan(0.01);
  expect((await tasks.counts()).stalled).toBe(1);
  release();
  await finished(id);
}, 120_000);

const cli = fileURLToPath(
  new URL("../../../node_modules/@dbos-inc/dbos-sdk/dist/src/cli/cli.js", import.meta.url),
);

async function dbos(command: string, ...ids: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    cli,
    "workflow",
    command,
    ...ids,
    "--sys-db-url",
    url,
  ]);
  return stdout;
}
