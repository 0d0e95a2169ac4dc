import { expect, test } from "vitest";
import { hanoiModel } from "../../council/test/hanoi.ts";
import { openTaskService } from "../src/tasks/task-instance.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";

test("[TD-close] tasks that are closed twice at once, as by a signal while others declare their instance dead, close once", async () => {
  const logged: string[] = [];
  const tasks = await openTaskService({
    engine: await testEngine(hanoiModel({ errorRate: 0 })),
    metrics: { onStep() {}, onRecovered() {}, onRetried() {}, onTakenOver() {} },
    databaseUrl: await createTestDatabase(),
    maxTasks: 1,
    log: (message) => logged.push(message),
  });
  await Promise.all([tasks.close(100), tasks.close(0)]);
  await tasks.close();
  expect(logged).toEqual([]);
}, 60_000);
