import { setTimeout as sleep } from "node:timers/promises";
import type { Tasks } from "@mci-ts/council";
import pg from "pg";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

afterEach(() => vi.restoreAllMocks());

async function open(sweepMs: number): Promise<Tasks> {
  const db = openDatabase(await createTestDatabase(), { applicationName: "council-idle" });
  const engine = await testEngine(hanoiModel({ errorRate: 0 }));
  const tasks = await openTasks({ db, engine, executorId: "idle", sweepMs, log() {} });
  onTestFinished(async () => {
    await tasks.close();
    await db.close();
  });
  return tasks;
}

test("[TD-idle] an instance without work asks the database few times a second, and wakes up for nothing else", async () => {
  const every = globalThis.setInterval;
  let ticks = 0;
  vi.spyOn(globalThis, "setInterval").mockImplementation(((work: () => void, ms: number) =>
    every(() => {
      ticks++;
      work();
    }, ms)) as typeof setInterval);
  await open(1000);
  const statements = vi.spyOn(pg.Client.prototype, "query");
  await sleep(1500);
  statements.mockClear();
  ticks = 0;
  const since = performance.now();
  await sleep(5000);
  const seconds = (performance.now() - since) / 1000;
  // One look, one for schedules in the first minute, and four every five seconds for what an operator has resumed.
  expect(statements.mock.calls.length / seconds).toBeLessThan(4.5);
  expect(ticks).toBe(0);
});

test("[TD-idle] a task begins at once, however seldom its instance looks", async () => {
  const tasks = await open(60_000);
  const { id } = await tasks.create(hanoiTask(3, { k: 1 }));
  await until(async () => (await tasks.get(id)).status === "complete", 20_000);
});
