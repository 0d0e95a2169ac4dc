import { setTimeout as sleep } from "node:timers/promises";
import type { Tasks, TaskWebhook } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { deleteExpiredTasks } from "../src/tasks/operations/task-retention.ts";
import { searchTasks } from "../src/tasks/store/search-query.ts";
import { createTaskStore } from "../src/tasks/store/task-store.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

let db: Database;
let tasks: Tasks;
const hanoi = hanoiModel({ errorRate: 0 });
const delivered: TaskWebhook[] = [];
/** What the receiver says to each attempt; then it takes them. */
let answers: ({ retryMs: number | null } | Error)[] = [];

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({
    db,
    engine: await testEngine({
      async complete(...args) {
        await sleep(2);
        return hanoi.complete(...args);
      },
    }),
    executorId: "operations",
    sweepMs: 100,
    async deliverWebhook(webhook) {
      delivered.push(webhook);
      const answer = answers.shift() ?? { retryMs: null };
      if (answer instanceof Error) throw answer;
      return answer;
    },
    log: () => {},
  });
});
afterAll(async () => {
  await tasks?.close();
  await db?.close();
});

const create = async (name: string, disks = 2, more: object = {}) =>
  (await tasks.create({ ...hanoiTask(disks, { k: 1 }), name, ...more })).id;
const reaches = (id: string, status: string) => until(async () => (await tasks.get(id)).status === status);
const left = async (table: string, column: string, id: string) =>
  (await db.query(`SELECT FROM ${table} WHERE ${column} = $1`, [id])).length;

test("[TD-delete] a task that is over is deleted with its steps and its workflow; one in flight is not", async () => {
  const id = await create("to delete");
  await reaches(id, "complete");
  expect(await left("council.task_steps", "task_id", id)).toBe(3);
  await tasks.delete(id);
  await expect(tasks.get(id)).rejects.toMatchObject({ code: "task_not_found" });
  for (const [table, column] of [
    ["council.task_steps", "task_id"],
    ["dbos.workflow_status", "workflow_uuid"],
    ["dbos.workflow_input", "workflow_uuid"],
  ] as const)
    expect([table, await left(table, column, id)]).toEqual([table, 0]);
  const running = await create("in flight", 12);
  await reaches(running, "running");
  await expect(tasks.delete(running)).rejects.toThrow('cannot take "delete"');
  await tasks.cancel(running);
  await tasks.delete(running);
});

test("[TD-delete] a task that is resumed while it is deleted is gone, and leaves no workflow behind", async () => {
  const ids = await Promise.all(["a", "b", "c", "d"].map((name) => create(`deleted ${name}`, 12)));
  for (const id of ids) await tasks.pause(id);
  for (const id of ids) await reaches(id, "paused");
  await Promise.all(
    ids.map(async (id) => {
      const deleted = tasks.delete(id);
      const resumed = tasks.resume(id);
      // Where the resume came first, the task is in flight and stays.
      await deleted.catch(() => undefined);
      await resumed.catch((error: { code?: string }) => expect(error.code).toBe("task_not_found"));
    }),
  );
  expect(
    await db.query(
      `SELECT workflow_uuid FROM dbos.workflow_status WHERE workflow_uuid = ANY($1)
         AND NOT EXISTS (SELECT FROM council.tasks WHERE id = workflow_uuid)`,
      [ids],
    ),
  ).toEqual([]);
  for (const id of ids) await tasks.cancel(id).catch(() => undefined);
});

test("[TD-retry] a failed task goes on after its last decided step, and ends as any other", async () => {
  const id = await create("cut short", 3, { max_steps: 4 });
  await reaches(id, "failed");
  // As after a defect that a new version has mended.
  await db.query(
    `UPDATE council.tasks SET spec = jsonb_set(spec::jsonb, '{max_steps}', '100')::json WHERE id = $1`,
    [id],
  );
  const before = await tasks.steps(id, 1, 10);
  await tasks.retry(id);
  await reaches(id, "complete");
  expect((await tasks.steps(id, 1, 10)).slice(0, 4)).toEqual(before);
  expect(await tasks.get(id)).toMatchObject({ step: 7 });
  await expect(tasks.retry(id)).rejects.toThrow('cannot take "retry"');
});

test("[TD-bulk] an action on many tasks, by filter and by id, reports those that cannot take it", async () => {
  const ids = await Promise.all([1, 2, 3, 4, 5].map((n) => create(`Bulk run ${n}`, 13)));
  await until(async () => (await tasks.count({ status: "running", name: "bulk" })) === 5);
  // Two pages.
  const first = await tasks.bulk("pause", { name: "bulk run", limit: 3 });
  expect(first).toMatchObject({ done: 3, refused: [], more: true });
  const second = await tasks.bulk("pause", { name: "bulk run", limit: 3, after: first.next_cursor! });
  expect(second).toMatchObject({ done: 2, more: false, next_cursor: null });
  await until(async () => (await tasks.count({ status: "paused", name: "bulk" })) === 5);
  await tasks.cancel(ids[0]!);
  const resumed = await tasks.bulk("resume", [...ids, "none"]);
  expect(resumed.done).toBe(4);
  expect(new Set(resumed.refused.map(({ id }) => id))).toEqual(new Set([ids[0], "none"]));
  expect(await tasks.bulk("cancel", { name: "bulk", limit: 100 })).toMatchObject({ done: 5 });
  // What is deleted cannot be a cursor.
  const deleted = await tasks.bulk("delete", { name: "bulk", limit: 4 });
  expect(deleted).toMatchObject({ done: 4, more: true, next_cursor: null });
  expect(await tasks.bulk("delete", { name: "bulk", limit: 4 })).toMatchObject({ done: 1, more: false });
  expect(await tasks.count({ name: "bulk" })).toBe(0);
});

test("[TD-retention] tasks are deleted so many days after their end, by the clock of the database", async () => {
  const [old, recent, open] = await Promise.all(["old", "recent", "open"].map((name) => create(name)));
  for (const id of [old!, recent!, open!]) await reaches(id, "complete");
  const store = createTaskStore(db);
  const endDaysAgo = (id: string, days: number) =>
    db.query("UPDATE council.tasks SET ended_at = clock_timestamp() - $2 * interval '1 day' WHERE id = $1", [
      id,
      days,
    ]);
  await endDaysAgo(old!, 8);
  await endDaysAgo(recent!, 6);
  const logged: string[] = [];
  await deleteExpiredTasks(store, tasks, 7, (line) => logged.push(line));
  expect(logged).toEqual(["tasks: 1 deleted that ended more than 7 days ago"]);
  await expect(tasks.get(old!)).rejects.toMatchObject({ code: "task_not_found" });
  expect(await tasks.get(recent!)).toMatchObject({ status: "complete" });
});

test("[TD-webhook] the end of a task is delivered until the receiver takes it, however it ended", async () => {
  answers = [{ retryMs: 50 }];
  const id = await create("with webhook", 2, { webhook: "https://example.com/hook" });
  await until(async () => delivered.filter(({ task }) => task.id === id).length === 2);
  expect(delivered.map(({ url, attempts, task }) => [url, attempts, task.status])).toEqual([
    ["https://example.com/hook", 0, "complete"],
    ["https://example.com/hook", 1, "complete"],
  ]);
  await until(
    async () => (await db.query("SELECT FROM council.tasks WHERE webhook_at IS NOT NULL")).length === 0,
  );
  delivered.length = 0;
  const other = await create("cancelled by the engine", 13, { webhook: "https://example.com/hook" });
  await reaches(other, "running");
  expect(delivered).toEqual([]);
  const { DBOS } = await import("@dbos-inc/dbos-sdk");
  await DBOS.cancelWorkflow(other);
  await until(async () => delivered.length === 1);
  expect(delivered[0]!.task).toMatchObject({ id: other, status: "cancelled" });
});

test("[TD-webhook] receivers take turns: tasks of one that does not answer do not keep others from theirs", async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, (_, index) => create(`for receiver ${index}`, 1)));
  for (const id of ids) await reaches(id, "complete");
  // In a transaction, so that the deliveries of the running instance do not see them.
  const claimed = await db.transaction(async (on) => {
    const set =
      "UPDATE council.tasks SET webhook = $2, webhook_at = clock_timestamp() - $3 * interval '1 minute'";
    await on.query(`${set} WHERE id = ANY($1)`, [ids.slice(0, 5), "https://slow.example/hook", 60]);
    await on.query(`${set} WHERE id = $1`, [ids[5], "https://other.example/hook", 1]);
    const store = createTaskStore({ ...db, query: (text, values) => on.query(text, values) });
    const first = await store.claimWebhooks(2, 60_000);
    await on.query("UPDATE council.tasks SET webhook_at = NULL WHERE id = ANY($1)", [ids]);
    return first;
  });
  expect(claimed.map(({ url }) => new URL(url).host).sort()).toEqual(["other.example", "slow.example"]);
});

test("[TD-search] tasks are found by words of their name and by status, in pages, through an index", async () => {
  const names = ["Q3 report v1.2 (draft)", "Q3 Report v1.3", "Weekly café survey", "reporting"];
  for (const name of names) await reaches(await create(name), "complete");
  const found = async (name: string) => (await tasks.list({ limit: 10, name })).map((task) => task.name);
  expect(await found("report")).toEqual(["reporting", names[1], names[0]]);
  expect(await found("q3 V1.2")).toEqual([names[0]]);
  expect(await found("CAFÉ")).toEqual([names[2]]);
  expect(await found("survey week")).toEqual([names[2]]);
  expect(await found("& | !")).toEqual([]);
  const [first] = await tasks.list({ limit: 1, name: "report", status: "complete" });
  const next = await tasks.list({ limit: 1, name: "report", status: "complete", after: first!.id });
  expect(next.map(({ name }) => name)).toEqual([names[1]]);
  for (const status of ["complete", "failed", "cancelled", "paused"] as const) {
    const { sql, values } = searchTasks({ limit: 20, status });
    const plan = await db.transaction(async (on) => {
      await on.query("SET LOCAL enable_seqscan = off");
      return JSON.stringify(await on.query(`EXPLAIN ${sql}`, [...values]));
    });
    expect(plan).toContain(`tasks_${status}_newest`);
  }
});

test("[TD-search] a word that few names have is looked up in the index of names, one that many have among the newest tasks", async () => {
  const id = await create("rare one");
  await reaches(id, "complete");
  await db.query(
    `INSERT INTO council.tasks (id, kind, name, spec, progress, workflow_version, created_at, ended_at, result)
       SELECT 'many' || n, kind, 'common ' || n, spec, progress, workflow_version, now() - n * interval '1 second', ended_at, result
       FROM council.tasks, generate_series(1, 2500) n WHERE id = $1`,
    [id],
  );
  await db.query("ANALYZE council.tasks");
  const names = async (name: string, after?: string) =>
    db.query<{ id: string }>(...search(name, after)).then((rows) => rows.map((row) => row.id));
  expect(await names("rare")).toEqual([id]);
  expect(await names("common")).toEqual(["many1", "many2", "many3"]);
  expect(await names("common", "many3")).toEqual(["many4", "many5", "many6"]);
  expect(await names("common 2499")).toEqual(["many2499"]);
  expect(await names("absent")).toEqual([]);
  const [sql, values] = search("absent");
  const plan = JSON.stringify(await db.query(`EXPLAIN (ANALYZE, COSTS off) ${sql}`, values));
  expect(plan).toContain("tasks_by_name");
  expect(plan).toContain("on tasks t (never executed)");
  await db.query("DELETE FROM council.tasks WHERE id LIKE 'many%'");

  function search(name: string, after?: string): [string, unknown[]] {
    const { sql, values } = searchTasks({ limit: 3, name, ...(after === undefined ? {} : { after }) });
    return [sql, [...values]];
  }
});
