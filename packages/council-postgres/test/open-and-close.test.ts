import { expect, test } from "vitest";
import { hanoiModel } from "../../council/test/hanoi.ts";
import { openDatabase } from "../src/database/database.ts";
import { openTaskService } from "../src/tasks/task-instance.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";

/** Without any setting. */
async function open(databaseUrl: string) {
  const logged: string[] = [];
  const tasks = await openTaskService({
    engine: await testEngine(hanoiModel({ errorRate: 0 })),
    metrics: { onStep() {}, onRecovered() {}, onRetried() {}, onTakenOver() {} },
    databaseUrl,
    maxTasks: 1,
    log: (message) => logged.push(message),
  });
  return { tasks, logged };
}

test("[TD-close] tasks that are closed twice at once, as by a signal while others declare their instance dead, close once", async () => {
  const { tasks, logged } = await open(await createTestDatabase());
  await Promise.all([tasks.close(100), tasks.close(0)]);
  await tasks.close();
  expect(logged).toEqual([]);
}, 60_000);

test("[TD-webhook] where webhooks are not allowed any more, those that were not delivered are said at the start", async () => {
  const url = await createTestDatabase();
  const database = openDatabase(url, { applicationName: "test", maxConnections: 1 });
  await database.query(
    `INSERT INTO council.tasks (id, kind, spec, progress, result, ended_at, webhook, webhook_at)
     VALUES ('told', 'plan', '{}', '{}', '1', now(), 'https://example.com/', NULL),
       ('untold', 'plan', '{}', '{}', '1', now(), 'https://example.com/', now())`,
  );
  await database.close();
  const { tasks, logged } = await open(url);
  await tasks.close();
  expect(logged).toEqual([
    "tasks: MCI_WEBHOOK_HOSTS is not set: webhooks that are not delivered: 1; their tasks are kept",
  ]);
}, 60_000);
