import type { TaskSchedule, Tasks } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { hasPendingTasks } from "../src/tasks/store/task-store.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

let db: Database;
let tasks: Tasks;
const logged: string[] = [];
const hanoi = hanoiModel({ errorRate: 0 });
/** Whether the model replies to nothing. */
let hangs = false;

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({
    db,
    engine: await testEngine({
      async complete(...args) {
        if (hangs) await new Promise(() => {});
        return hanoi.complete(...args);
      },
    }),
    executorId: "schedules",
    sweepMs: 100,
    log: (message) => logged.push(message),
  });
});
afterAll(async () => {
  await tasks?.close();
  await db?.close();
});

/** The engine also takes seconds; requests may not have them. */
const EVERY_SECOND = "* * * * * *";
const NEVER = "0 0 29 2 *";
const schedule = (more: Partial<TaskSchedule> = {}): TaskSchedule => ({
  ...{ cron: EVERY_SECOND, timezone: "UTC", overlap: "skip", catch_up: false },
  task: { ...hanoiTask(2, { k: 1 }), name: "scheduled" },
  ...more,
});
const started = (name: string) =>
  db.query<{ id: string; ended: boolean }>(
    "SELECT id, ended_at IS NOT NULL AS ended FROM council.tasks WHERE schedule = $1",
    [name],
  );
const workflows = (name: string) =>
  db.query<{ id: string; status: string }>(
    "SELECT workflow_uuid AS id, status FROM dbos.workflow_status WHERE schedule_name = $1",
    [name],
  );

test("[TD-schedule] a schedule starts a task at each of its times until it is paused, and goes on when resumed", async () => {
  expect(await hasPendingTasks(db)).toBe(false);
  await tasks.schedules.put("often", schedule());
  // An instance that starts now must watch the clock, though no task is open.
  expect(await hasPendingTasks(db)).toBe(true);
  await until(async () => (await started("often")).filter(({ ended }) => ended).length >= 2);
  const paused = await tasks.schedules.pause("often");
  expect(paused).toMatchObject({
    ...{ name: "often", status: "paused", cron: EVERY_SECOND, timezone: "UTC" },
    ...{ last_time: expect.stringMatching(/^\d{4}-.*Z$/), last_task: { id: expect.any(String) } },
  });
  expect(await tasks.get(paused.last_task!.id)).toMatchObject({ schedule: "often", name: "scheduled" });
  // What the engine has begun meanwhile starts nothing: the schedule is asked when the task is stored.
  const count = (await started("often")).length;
  await until(async () => (await workflows("often")).every(({ status }) => status === "SUCCESS"));
  expect((await started("often")).length - count).toBeLessThanOrEqual(1);
  // Replaced while it is paused: stays paused.
  expect(await tasks.schedules.put("often", schedule({ cron: NEVER }))).toMatchObject({
    ...{ status: "paused", cron: NEVER },
  });
  expect(await tasks.schedules.resume("often")).toMatchObject({ status: "active" });
  await tasks.schedules.delete("often");
  await expect(tasks.schedules.get("often")).rejects.toMatchObject({ code: "task_not_found" });
  expect(await tasks.schedules.list()).toEqual([]);
});

test("[TD-schedule] a time starts one task, however often its workflow begins, also after its instance went away", async () => {
  // "allow": with "skip" a time whose task was not started because another was open may start it when its workflow begins again.
  await tasks.schedules.put("once", schedule({ overlap: "allow" }));
  await until(async () => (await started("once")).length >= 1);
  await tasks.schedules.put("once", schedule({ overlap: "allow", cron: NEVER }));
  await until(async () => (await workflows("once")).every(({ status }) => status === "SUCCESS"));
  const before = await started("once");
  const [first] = await workflows("once");
  // As an instance leaves it that is killed before the task is stored, and after.
  const lost = before[0]!;
  await until(async () => (await tasks.get(lost.id)).status === "complete");
  await tasks.delete(lost.id);
  await db.query(
    "UPDATE dbos.workflow_status SET status = 'PENDING', executor_id = 'gone', updated_at = 0 WHERE schedule_name = 'once'",
  );
  await until(async () => (await workflows("once")).every(({ status }) => status === "SUCCESS"));
  // A timer that was set before may still have begun a time after those that were read, so there may be more of both.
  const ids = async () => (await started("once")).map(({ id }) => id);
  const all = expect.arrayContaining(before.map(({ id }) => id));
  await until(async () => (await ids()).length === (await workflows("once")).length);
  expect(await ids()).toEqual(all);
  // Records of starts that are long over go away; their tasks stay.
  await db.query("UPDATE dbos.workflow_status SET updated_at = 0 WHERE workflow_uuid = $1", [first!.id]);
  await until(async () => (await workflows("once")).every(({ id }) => id !== first!.id));
  expect(await ids()).toEqual(all);
  await tasks.schedules.delete("once");
});

test("[TD-schedule] while its task is not over a schedule starts none and says so, or another where it may", async () => {
  hangs = true;
  await tasks.schedules.put("slow", schedule());
  await until(async () => logged.some((line) => /^schedule slow: .* is not over yet$/.test(line)));
  expect(await started("slow")).toHaveLength(1);
  await tasks.schedules.put("slow", schedule({ overlap: "allow" }));
  await until(async () => (await started("slow")).length >= 3);
  await tasks.schedules.put("slow", schedule({ cron: NEVER }));
  // A person's wish does not wait for either.
  const id = await tasks.schedules.start("slow");
  expect((await started("slow")).map((one) => one.id)).toContain(id);
  await tasks.schedules.delete("slow");
  for (const one of await started("slow")) await tasks.cancel(one.id);
  hangs = false;
});

test("[TD-schedule] a task or a time that cannot be used is refused when the schedule is stored", async () => {
  const { put } = tasks.schedules;
  await expect(put("bad", schedule({ task: { kind: "steps" } }))).rejects.toMatchObject({
    code: "invalid_request",
  });
  for (const cron of ["61 * * * *", "0 0 31 2 *", "* * * *", "0 0 * * 9"])
    await expect(put("bad", schedule({ cron })), cron).rejects.toMatchObject({
      ...{ code: "invalid_request", path: "cron" },
    });
  for (const act of [tasks.schedules.pause, tasks.schedules.start, tasks.schedules.delete])
    await expect(act("bad")).rejects.toMatchObject({ code: "task_not_found" });
});
