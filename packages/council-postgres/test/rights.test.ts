import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { openDatabase } from "../src/database/database.ts";
import { openTaskInstance } from "../src/tasks/task-instance.ts";
import { createEmptyDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

/** A user who may connect, and create nothing but what is inside schemas of its own. */
async function openAsUser(schemas: readonly string[]) {
  const url = new URL(await createEmptyDatabase());
  const admin = openDatabase(url.href, { applicationName: "test", maxConnections: 1 });
  const user = `user_${randomBytes(6).toString("hex")}`;
  await admin.query(`CREATE ROLE ${user} LOGIN PASSWORD 'user'`);
  for (const schema of schemas) await admin.query(`CREATE SCHEMA ${schema} AUTHORIZATION ${user}`);
  Object.assign(url, { username: user, password: "user" });
  const db = openDatabase(url.href, { applicationName: "test" });
  onTestFinished(async () => {
    await db.close();
    await admin.query(`DROP OWNED BY ${user} CASCADE`);
    await admin.query(`DROP ROLE ${user}`);
    await admin.close();
  });
  return { db, executorId: user, engine: await testEngine(hanoiModel({ errorRate: 0 })), log: () => {} };
}

test("[D-rights] a user without the right to create schemas runs tasks in those that an administrator has created", async () => {
  const tasks = await openTaskInstance(await openAsUser(["council", "dbos"]));
  onTestFinished(() => tasks.close(0));
  const { id } = await tasks.create(hanoiTask(2));
  await until(async () => (await tasks.get(id)).status === "complete", 60_000);
}, 90_000);

test.each([
  ["of the engine", ["council"]],
  ["of the service", ["dbos"]],
])(
  "[D-rights] without the schema %s, the error says what an administrator can do",
  async (_, schemas) => {
    const refused = openTaskInstance(await openAsUser(schemas));
    await expect(refused).rejects.toMatchObject({ name: "DatabaseError" });
    await expect(refused).rejects.toThrow(/permission denied.*CREATE SCHEMA dbos AUTHORIZATION/);
  },
  90_000,
);
