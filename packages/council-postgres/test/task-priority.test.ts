import { expect, onTestFinished, test } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

test("[TD-priority] of the tasks that wait, those with a lower number begin first, the oldest among equals", async () => {
  const db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  const hanoi = hanoiModel({ errorRate: 0 });
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const tasks = await openTasks({
    db,
    engine: await testEngine({
      async complete(...args) {
        await released;
        return hanoi.complete(...args);
      },
    }),
    executorId: "priorities",
    maxTasks: 1,
    sweepMs: 100,
    log: () => {},
  });
  onTestFinished(async () => {
    await tasks.close();
    await db.close();
  });
  const create = async (name: string, more: object = {}) =>
    (await tasks.create({ ...hanoiTask(2, { k: 1 }), name, ...more })).id;
  const first = await create("first");
  await until(async () => (await tasks.get(first)).status === "running");
  for (const [name, priority] of [
    ["later", 200],
    ["normal", undefined],
    ["also normal", 100],
    ["urgent", 1],
  ] as const)
    await create(name, priority === undefined ? {} : { priority });
  release();
  await until(async () => (await tasks.count({ status: "complete" })) === 5);
  const begun = await db.query<{ name: string }>("SELECT name FROM council.tasks ORDER BY started_at");
  expect(begun.map(({ name }) => name)).toEqual(["first", "urgent", "normal", "also normal", "later"]);
}, 60_000);
