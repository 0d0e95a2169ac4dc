import type { Model, Tasks } from "@mci-ts/council";
import { expectedVotes } from "@mci-ts/council";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { hanoiModel, hanoiMove, hanoiTask } from "../../council/test/hanoi.ts";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { createTaskStore } from "../src/tasks/store/task-store.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";

let db: Database;
let tasks: Tasks;
/** What the model does is each test's own. */
let model: Model;
const switchable: Model = { complete: (request, signal) => model.complete(request, signal) };

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({
    db,
    engine: await testEngine(switchable),
    executorId: "test",
    sweepMs: 500,
    log: (message) => process.stderr.write(`${message}\n`),
  });
});

afterAll(async () => {
  await tasks?.close();
  await db?.close();
});

async function until(id: string, statuses: readonly string[]) {
  for (;;) {
    const task = await tasks.get(id);
    if (statuses.includes(task.status)) return task;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("a task of steps", { timeout: 120_000 }, () => {
  test("[TD-once] Towers of Hanoi with ten disks: 1,023 steps, each recorded once, no error, as many calls as theory says", async () => {
    const errorRate = 0.02;
    const hanoi = hanoiModel({ errorRate, seed: 3 });
    model = hanoi;
    const created = await tasks.create(hanoiTask(10, { k: 3 }));
    // On a busy machine it may have left the queue by now.
    expect(created).toMatchObject({ kind: "steps", status: expect.stringMatching(/queued|running/) });
    const done = await until(created.id, ["complete", "failed", "paused"]);
    expect(done).toMatchObject({ status: "complete", step: 1023, state: { a: "", b: "abcdefghij", c: "" } });
    const steps = [...(await tasks.steps(created.id, 1, 600)), ...(await tasks.steps(created.id, 601, 600))];
    expect(steps.map(({ step }) => step)).toEqual(Array.from({ length: 1023 }, (_, i) => i + 1));
    for (const { step, answer } of steps) expect(answer).toMatchObject(hanoiMove(step));
    expect(done.usage.calls).toBe(hanoi.calls);
    expect(Math.abs(hanoi.calls / 1023 / expectedVotes(1 - errorRate, 3) - 1)).toBeLessThan(0.02);
    expect(done.contested).toBe(steps.filter(({ votes }) => Object.keys(votes).length > 1).length);
    expect(steps.filter(({ samples }) => samples !== undefined).length).toBe(done.contested);
    const { size, parts } = await tasks.strip(created.id, { parts: 100 });
    expect([size, parts.length, parts.at(-1)]).toMatchObject([11, 93, { from: 1013, to: 1023 }]);
    expect(parts.reduce((sum, part) => sum + part.contested, 0)).toBe(done.contested);
  }, 300_000);

  test("[TD-pause] pauses after the open step, resumes where it was, and counts every call once", async () => {
    const hanoi = slowed(hanoiModel({ errorRate: 0 }));
    model = hanoi;
    const { id } = await tasks.create(hanoiTask(5, { k: 2 }));
    await untilStep(id, 5);
    const paused = await tasks.pause(id);
    expect(paused).toMatchObject({ status: "paused", error: { code: "requested" } });
    expect(paused.usage.calls).toBe(hanoi.calls);
    expect(await tasks.pause(id)).toMatchObject({ status: "paused", step: paused.step });
    expect(await tasks.resume(id)).toMatchObject({ status: expect.stringMatching(/queued|running/) });
    const done = await until(id, ["complete"]);
    expect(done.usage.calls).toBe(62);
    expect((await tasks.steps(id, 1, 100)).map(({ step }) => step)).toEqual(numbers(31));
    await expect(tasks.resume(id)).rejects.toThrow("Possible now: fork");
  });

  test("[TD-fork] a cancelled task keeps what is recorded, and can be forked from any of its steps", async () => {
    model = slowed(hanoiModel({ errorRate: 0 }));
    const { id } = await tasks.create(hanoiTask(5, { k: 2 }));
    await untilStep(id, 8);
    const cancelled = await tasks.cancel(id);
    expect(cancelled.status).toBe("cancelled");
    const recorded = await tasks.steps(id, 1, 100);
    expect(cancelled.step).toBe(recorded.length);
    expect(await tasks.get(id)).toMatchObject({ status: "cancelled", step: recorded.length });
    const fork = await tasks.fork(id, 6);
    expect(fork).toMatchObject({ step: 5, forked_from: { id, step: 6 } });
    expect(await until(fork.id, ["complete"])).toMatchObject({ step: 31, state: { c: "abcde" } });
    const steps = await tasks.steps(fork.id, 1, 100);
    expect(steps.map(({ step }) => step)).toEqual(numbers(31));
    expect(steps.slice(0, 5)).toEqual(recorded.slice(0, 5));
    expect(await tasks.steps(id, 1, 100)).toEqual(recorded);
    await expect(tasks.fork(id, 99)).rejects.toThrow(`step must be from 1 to ${recorded.length + 1}`);
  });

  test("[TD-answer] a step that stays undecided pauses the task; a person answers it, and it goes on", async () => {
    const right = hanoiModel({ errorRate: 0 });
    let call = 0;
    model = {
      async complete(request, signal) {
        const reply = await right.complete(request, signal);
        if (!/Move 3 /.test(request.messages.at(-1)!.content)) return reply;
        const object = reply.object as { answer: object };
        return {
          ...reply,
          object: { ...object, answer: { ...object.answer, a: "abcdefghijk"[call++ % 11] } },
        };
      },
    };
    const { id } = await tasks.create(hanoiTask(3, { k: 2 }));
    const paused = await until(id, ["paused", "complete", "failed"]);
    expect(paused).toMatchObject({ status: "paused", step: 2, error: { code: "undecided" } });
    await expect(tasks.answer(id, 2, {})).rejects.toThrow("paused at step 3");
    await expect(tasks.answer(id, 3, { from: "a" })).rejects.toThrow("answer must fit");
    await tasks.answer(id, 3, { from: "c", to: "b", a: "a", b: "bc", c: "" });
    const done = await until(id, ["paused", "complete", "failed"]);
    expect(done).toMatchObject({ status: "complete", step: 7 });
    expect((await tasks.steps(id, 3, 1))[0]).toMatchObject({ step: 3, by: "person", calls: 0, votes: {} });
    // What the undecided vote cost is counted as well.
    expect(done.usage.calls).toBe(paused.usage.calls + 4 * 2);
  });

  test("[TD-budget] a task whose budget is spent pauses with the reason", async () => {
    model = hanoiModel({ errorRate: 0 });
    const { id } = await tasks.create(hanoiTask(5, { k: 2, max_calls: 11 }));
    expect(await until(id, ["paused", "complete"])).toMatchObject({
      status: "paused",
      step: 5,
      error: { code: "budget" },
      usage: { calls: 10 },
    });
  });

  test("a task that reaches max_steps fails and says what to do", async () => {
    model = hanoiModel({ errorRate: 0 });
    const { id } = await tasks.create({ ...hanoiTask(5, { k: 2 }), max_steps: 4 });
    expect(await until(id, ["failed", "complete"])).toMatchObject({ step: 4, error: { code: "max_steps" } });
  });

  test("[TD-failed] a task whose workflow ends with an error is shown as failed, with the reason", async () => {
    // As if a newer version had stored what this one cannot read.
    const spec = { ...hanoiTask(3), until: "(" };
    const engine = await testEngine(switchable);
    const progress = engine.steps(hanoiTask(3)).start();
    await createTaskStore(db).insert({ id: "unreadable", spec, progress, workflowVersion: 2 });
    const failed = await until("unreadable", ["failed", "complete", "paused"]);
    expect(failed).toMatchObject({ status: "failed", step: 0, error: { code: "internal" } });
    expect(failed.error!.message).toMatch(/^The task ended unexpectedly: Invalid token/);
  });

  test("tasks are listed newest first, page by page", async () => {
    const [first, second] = await tasks.list({ limit: 2 });
    const [next] = await tasks.list({ limit: 1, after: first!.id });
    expect(next!.id).toBe(second!.id);
    expect((await tasks.list({ limit: 5, status: "cancelled" })).map(({ status }) => status)).toEqual([
      "cancelled",
    ]);
    await expect(tasks.get("none")).rejects.toMatchObject({ code: "task_not_found" });
  });
});

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i + 1);

/** Slow enough to be interrupted. */
function slowed(fast: ReturnType<typeof hanoiModel>) {
  return {
    get calls() {
      return fast.calls;
    },
    async complete(...args: Parameters<Model["complete"]>) {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return fast.complete(...args);
    },
  };
}

async function untilStep(id: string, step: number) {
  while ((await tasks.steps(id, step, 1)).length === 0)
    await new Promise((resolve) => setTimeout(resolve, 10));
}
