import { type Model, ModelError, type Tasks } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hanoiModel, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { createTestDatabase } from "./database.ts";
import { planModel, workOf } from "./plan-model.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

let db: Database;
let tasks: Tasks;
/** What cannot be reached: the number of a move, or a step of a plan. */
let unreachable: readonly string[] = [];
let refused = 0;
const logged: { message: string; task?: string }[] = [];
const hanoi = hanoiModel({ errorRate: 0 });
const model: Model = {
  async complete(request, signal) {
    const text = request.messages.at(-1)!.content;
    const [, move] = /Move (\d+)/.exec(text) ?? [];
    const work = move ?? workOf(text, request.purpose);
    if (unreachable.includes(work)) {
      refused++;
      throw new ModelError("connect ECONNREFUSED", { retryable: false });
    }
    return (move === undefined ? planModel : hanoi).complete(request, signal);
  },
};

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({
    db,
    engine: await testEngine(model),
    executorId: "outages",
    sweepMs: 50,
    retry: { limit: 3, firstMs: 200 },
    log: (message, fields) => logged.push({ message, ...fields }),
  });
});
afterAll(async () => {
  await tasks?.close();
  await db?.close();
});

const status = async (id: string) => (await tasks.get(id)).status;

test("[TD-outage] a task whose provider cannot be reached says when it resumes, and goes on by itself when it can", async () => {
  unreachable = ["3"];
  const { id } = await tasks.create(hanoiTask(3, { k: 2 }));
  await until(async () => (await tasks.get(id)).retry_at !== undefined);
  const paused = await tasks.get(id);
  expect(paused).toMatchObject({ step: 2, error: { code: "transport" }, retries: 0 });
  const message = `task ${id} is paused after step 2 (transport); GET /tasks/${id} says why`;
  await until(async () => logged.some((entry) => entry.message === message && entry.task === id));
  expect(Date.parse(paused.retry_at!)).toBeGreaterThan(Date.parse(paused.created_at));
  const before = refused;
  await until(async () => refused > before);
  unreachable = [];
  await until(async () => (await status(id)) === "complete");
  expect(await tasks.get(id)).toMatchObject({ step: 7 });
});

test("[TD-outage] beyond the limit it waits for a person, whose resume starts the waits again", async () => {
  unreachable = ["2"];
  const { id } = await tasks.create(hanoiTask(3, { k: 2 }));
  await until(async () => /resumed 3 times/.test((await tasks.get(id)).error?.message ?? ""));
  const paused = await tasks.get(id);
  expect(paused).toMatchObject({ status: "paused", step: 1, error: { code: "transport" } });
  expect(paused.retry_at).toBeUndefined();
  await tasks.resume(id);
  await until(async () => (await tasks.get(id)).retry_at !== undefined);
  // A person who pauses it wants it to stay so.
  await tasks.pause(id);
  unreachable = [];
  expect((await tasks.get(id)).retry_at).toBeUndefined();
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await status(id)).toBe("paused");
  expect(logged.filter(({ message }) => message.includes("requested"))).toEqual([]);
});

test("[TD-outage] a plan whose steps cannot be reached does the same", async () => {
  unreachable = ["plan-3"];
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => (await tasks.get(id)).retry_at !== undefined);
  expect(await tasks.get(id)).toMatchObject({ status: "paused", step: 2, error: { code: "transport" } });
  unreachable = [];
  await until(async () => (await status(id)) === "complete");
});
