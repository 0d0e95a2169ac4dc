import { setTimeout as sleep } from "node:timers/promises";
import { DBOS } from "@dbos-inc/dbos-sdk";
import type { Tasks, TaskView } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks, WORKFLOW_VERSION } from "../src/tasks/open-tasks.ts";
import { createWebhookDelivery } from "../src/tasks/operations/webhook-delivery.ts";
import { createPlacement } from "../src/tasks/runner/placement.ts";
import type { NewTask } from "../src/tasks/store/new-tasks.ts";
import { PLACEMENT_LOCK } from "../src/tasks/store/placement-query.ts";
import { createTaskStore, type TaskStore } from "../src/tasks/store/task-store.ts";
import { createTaskWatchers } from "../src/tasks/task-watchers.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

let db: Database;
let tasks: Tasks;
let store: TaskStore;
const hanoi = hanoiModel({ errorRate: 0 });

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({
    db,
    engine: await testEngine(hanoi),
    executorId: "races",
    sweepMs: 100,
    log() {},
  });
  store = createTaskStore(db);
});
afterAll(async () => {
  await tasks?.close();
  await db?.close();
});

const reaches = (id: string, status: string) => until(async () => (await tasks.get(id)).status === status);

/** A task that ends with `max_steps`. */
async function createFailed(more: object = {}): Promise<string> {
  const { id } = await tasks.create({ ...hanoiTask(3, { k: 1 }), max_steps: 4, ...more });
  await reaches(id, "failed");
  return id;
}

async function insert(id: string, more: Partial<NewTask> = {}) {
  const spec = { ...hanoiTask(12, { k: 1 }), kind: "steps" as const };
  const progress = (await testEngine(hanoi)).steps(spec).start();
  await store.insert({ id, spec, progress, workflowVersion: WORKFLOW_VERSION, ...more });
  return progress;
}

/** A session that keeps the instance from placing tasks until it ends. */
async function withoutPlacement() {
  const session = await db.connect();
  await session.query("SET idle_in_transaction_session_timeout = 0");
  await session.query("SELECT pg_advisory_lock($1)", [PLACEMENT_LOCK]);
  return session;
}

test("[TD-retry] a task that is complete when its row can be changed is not begun again", async () => {
  const id = await createFailed();
  const session = await db.connect();
  await session.query("BEGIN");
  await session.query("SELECT FROM council.tasks WHERE id = $1 FOR UPDATE", [id]);
  const retried = tasks.retry(id).catch((error: unknown) => error);
  const waiting =
    "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
  await until(async () => (await db.query(waiting)).length > 0);
  // As after another retry, which has come to the end.
  await session.query("UPDATE council.tasks SET error = NULL, result = '{}' WHERE id = $1", [id]);
  await session.query("COMMIT");
  await session.end();
  expect(await retried).toMatchObject({ code: "task_conflict" });
  await sleep(300);
  expect(await tasks.get(id)).toMatchObject({ status: "complete" });
});

test("[TD-retry] a retry that the engine does not take leaves the task as it was", async () => {
  const id = await createFailed();
  const before = await tasks.get(id);
  const rewind = vi.spyOn(DBOS, "rewindWorkflow").mockRejectedValueOnce(new Error("connection lost"));
  await expect(tasks.retry(id)).rejects.toThrow("connection lost");
  rewind.mockRestore();
  const after = await tasks.get(id);
  expect(after).toMatchObject({ status: "failed", error: before.error, ended_at: before.ended_at });
  expect(before.error).toMatchObject({ code: "max_steps" });
  await tasks.retry(id);
  await until(async () => (await tasks.get(id)).ended_at !== before.ended_at);
  await reaches(id, "failed");
});

test("[TD-retry] a resume that is sent twice begins the task once", async () => {
  const id = "resumed-twice";
  const session = await withoutPlacement();
  await insert(id);
  await tasks.pause(id);
  const resume = vi.spyOn(DBOS, "resumeWorkflow");
  await Promise.all([
    tasks.resume(id),
    tasks.resume(id).catch(() => undefined),
    tasks.retry(id).catch(() => undefined),
  ]);
  expect(resume.mock.calls.filter(([resumed]) => resumed === id)).toHaveLength(1);
  resume.mockRestore();
  expect((await tasks.get(id)).status).toBe("queued");
  await tasks.cancel(id);
  await session.end();
});

test("[TD-pause] a pause is kept where the task was just about to move, or met an outage", async () => {
  const session = await withoutPlacement();
  const id = "paused-while-it-moves";
  const progress = await insert(id);
  // As it is while an instance runs it.
  await db.query(
    "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'other', owner_xid = 'token' WHERE workflow_uuid = $1",
    [id],
  );
  await store.change(id, (_, change) => change.setControl("move"));
  await tasks.bulk("pause", [id]);
  const claim = { id, token: "token" };
  expect(await store.end(claim, { status: "moved", progress, step: 0 })).toBe(false);
  expect((await store.find(id)).control).toBe("pause");
  const error = { code: "transport", message: "The provider cannot be reached" };
  expect(await store.end(claim, { status: "paused", error, progress, step: 0 })).toBe(true);
  expect((await store.find(id)).retry_at).toBeNull();
  await tasks.cancel(id);
  await session.end();
});

test("[TD-webhook] the end of a task that was retried during a delivery is delivered, too", async () => {
  const id = await createFailed({ webhook: "https://example.com/hook" });
  const [claimed] = await store.claimWebhooks(10, 60_000);
  expect(claimed).toMatchObject({ id, attempts: 0 });
  const first = await tasks.get(id);
  await tasks.retry(id);
  await until(async () => (await tasks.get(id)).ended_at !== first.ended_at);
  await reaches(id, "failed");
  await store.settleWebhook(claimed!, null);
  const delivered: string[] = [];
  const deliverAs = (status: TaskView["status"]) =>
    createWebhookDelivery(
      store,
      async (task) => ({ ...(await tasks.get(task)), status }),
      async ({ task }) => {
        delivered.push(task.id);
        return { retryMs: null };
      },
    )();
  // It was retried between the claim and the delivery.
  await deliverAs("queued");
  expect(delivered).toEqual([]);
  await db.query("UPDATE council.tasks SET webhook_at = clock_timestamp() WHERE id = $1", [id]);
  await deliverAs("failed");
  await deliverAs("failed");
  expect(delivered).toEqual([id]);
});

test("[TD-watch] however many follow tasks that run elsewhere, an instance looks with one statement", async () => {
  const session = await withoutPlacement();
  await insert("watched-1");
  await insert("watched-2");
  let statements = 0;
  const watchers = createTaskWatchers({ get: () => undefined }, (ids) => {
    statements++;
    return store.marks(ids);
  });
  await watchers.look();
  expect(statements).toBe(0);
  const stopped = new AbortController();
  const follow = (id: string) =>
    Array.from({ length: 50 }, () => {
      const watch = watchers.watch(id, stopped.signal);
      const state = { reads: 0 };
      void (async () => {
        for (; !stopped.signal.aborted; state.reads++) await watch.changed(60_000);
      })();
      return state;
    });
  const [first, second] = [follow("watched-1"), follow("watched-2")];
  const reads = async () => {
    await watchers.look();
    await sleep(10);
    return [first, second].map((all) => [...new Set(all.map((one) => one.reads))]);
  };
  // What changed between the first read of a follower and the first look is not known: all read once more.
  expect(await reads()).toEqual([[1], [1]]);
  expect(await reads()).toEqual([[1], [1]]);
  await db.query("INSERT INTO council.task_steps (task_id, step, record) VALUES ('watched-1', 1, '{}')");
  expect(await reads()).toEqual([[2], [1]]);
  await tasks.cancel("watched-2");
  expect(await reads()).toEqual([[2], [2]]);
  expect(statements).toBe(4);
  stopped.abort();
  await watchers.look();
  expect(statements).toBe(4);
  await db.query("DELETE FROM council.task_steps WHERE task_id = 'watched-1'");
  await tasks.cancel("watched-1");
  await session.end();
});

test("[TD-fork] a task that is deleted meanwhile is not forked", async () => {
  const fork = insert("fork-of-none", { forkedFrom: { id: "deleted", step: 3, steps: "before" } });
  await expect(fork).rejects.toMatchObject({ code: "task_not_found" });
  expect(await db.query("SELECT FROM council.tasks WHERE id = 'fork-of-none'")).toEqual([]);
});

test("[TD-pause-queued] a task that is paused while an instance is being chosen for it stays paused", async () => {
  let reached = () => {};
  let goOn = () => {};
  const listed = new Promise<void>((resolve) => {
    reached = resolve;
  });
  const paused = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  // The placement of the instance itself finds the lock taken; this one has listed what waits, and waits itself before it moves that.
  const session = await withoutPlacement();
  const slow: Database = {
    ...db,
    async transaction(work) {
      await session.query("BEGIN");
      const result = await work({
        async query(sql, values) {
          if (sql.includes("FOR UPDATE")) {
            reached();
            await paused;
          }
          return (await session.query(sql, [...(values ?? [])])).rows;
        },
      });
      await session.query("COMMIT");
      return result;
    },
  };
  const placement = createPlacement({
    ...{ db: slow, store, executorId: "races", version: WORKFLOW_VERSION, log: () => {} },
    metrics: { onStep() {}, onRecovered() {}, onRetried() {}, onTakenOver() {} },
  });
  const id = "paused-while-it-is-placed";
  await insert(id);
  const placed = placement.run();
  await listed;
  await tasks.bulk("pause", [id]);
  goOn();
  await placed;
  await session.end();
  await sleep(500);
  expect((await tasks.get(id)).status).toBe("paused");
  await tasks.resume(id);
  await reaches(id, "running");
  await tasks.cancel(id);
});
