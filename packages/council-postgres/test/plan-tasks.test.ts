import type { Model, ModelReply, Tasks } from "@mci-ts/council";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Database, openDatabase } from "../src/database/database.ts";
import { openTasks } from "../src/tasks/open-tasks.ts";
import { createTestDatabase } from "./database.ts";
import { testEngine } from "./task-engine.ts";
import { until } from "./until.ts";

/** 1 and 2 are free, 3 needs 1, 4 needs 2. The first decomposition is another one, and loses the vote. */
const steps = [[], [], [1], [2]].map((dependencies, i) => ({
  id: i + 1,
  action: `Write part ${i + 1}`,
  dependencies,
}));
const GOOD = { task: "t", total_steps: 4, steps };
const POOR = { task: "t", total_steps: 1, steps: [{ id: 1, action: "Do everything", dependencies: [] }] };
const LONG = "long ".repeat(3000);

let db: Database;
let tasks: Tasks;
let decompositions = 0;
let doubtful = true;
let calls = 0;
/** What step 2 waits for. */
let release: Promise<void> = Promise.resolve();
/** Steps 1 and 2 wait for each other. */
const begun = new Set<string>();
const sideBySide = Promise.withResolvers<void>();
/** The prompts of each step and of the synthesis. */
const prompts = new Map<string, string>();

const model: Model = {
  async complete({ purpose, messages }) {
    const text = messages.at(-1)!.content;
    const work = /Do step (\d)/.exec(text)?.[1] ?? "end";
    calls++;
    if (work === "2") await release;
    begun.add(work);
    if (begun.has("1") && begun.has("2")) sideBySide.resolve();
    if (work === "1" || work === "2") await sideBySide.promise;
    if (purpose === "seat") prompts.set(work, text);
    return reply(answerTo(purpose, text, work));
  },
};

function answerTo(purpose: string, text: string, work: string): object {
  if (purpose === "decompose") return decompositions++ === 0 ? POOR : GOOD;
  if (purpose === "vote") {
    const plans = [...text.matchAll(/plan ([A-C])[\s\S]*?"total_steps":(\d)/g)];
    return { rationale: "", answer: { plan: plans.find(([, , total]) => total === "4")![1] } };
  }
  const result = work === "2" ? `${LONG}END OF 2` : `part ${work}`;
  if (purpose === "seat") return { proposal: result, answer: result.slice(-8) };
  const decision = work === "1" && doubtful ? "RED FLAG: the proposals exclude each other" : result;
  return { consensus: [], contradictions: [], gaps: [], dissent: [], decision, answer: result.slice(-8) };
}

const reply = (object: object): ModelReply => ({
  text: "",
  object,
  finishReason: "stop",
  usage: { inputTokens: 10, outputTokens: 5, costUsd: 0.001 },
  latencyMs: 30,
});

beforeAll(async () => {
  db = openDatabase(await createTestDatabase(), { applicationName: "council-test" });
  tasks = await openTasks({ db, engine: await testEngine(model), executorId: "plans", log: () => {} });
});
afterAll(async () => {
  await tasks.close();
  await db.close();
});

test("[TD-plan] an undecided step blocks only what depends on it; a person answers, and the rest is put together", async () => {
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => (await tasks.get(id)).status === "paused", 120_000);
  const paused = await tasks.get(id);
  expect(paused).toMatchObject({ step: 2, steps: 4, error: { code: "undecided" } });
  expect(paused.error!.message).toContain("step 1:");
  expect(paused.state).toMatchObject({
    steps: [{ status: "undecided" }, { status: "solved" }, { status: "open" }, { status: "solved" }],
  });
  expect((await tasks.steps(id, 1, 10)).map(({ step }) => step)).toEqual([2, 4]);
  // A long result is passed on shortened; its full text is kept.
  expect(prompts.get("4")!.length).toBeLessThan(10_000);
  expect(prompts.get("4")).toContain("characters left out");
  expect((await tasks.steps(id, 2, 1))[0]!.answer).toContain(LONG);

  await expect(tasks.answer(id, 2, "x")).rejects.toThrow("undecided: 1");
  await expect(tasks.answer(id, 1, { n: 1 })).rejects.toThrow("as text");
  await tasks.answer(id, 1, "the part a person wrote");
  await until(async () => (await tasks.get(id)).status === "complete", 120_000);
  const done = await tasks.get(id);
  expect(prompts.get("3")).toContain("the part a person wrote");
  expect(prompts.get("end")).toContain("the part a person wrote");
  expect(done).toMatchObject({ step: 4, result: expect.stringContaining("part end") });
  expect(done.usage.calls).toBeGreaterThan(paused.usage.calls);
  const views = await tasks.steps(id, 1, 10);
  expect(views.map(({ step, by }) => [step, by])).toEqual([
    [1, "person"],
    [2, undefined],
    [3, undefined],
    [4, undefined],
  ]);
  // Each has a place of its own in the order of events.
  expect(new Set(views.map(({ order }) => order)).size).toBe(4);
}, 300_000);

test("[TD-plan] resuming tries an undecided step again", async () => {
  doubtful = true;
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => (await tasks.get(id)).status === "paused", 120_000);
  doubtful = false;
  await tasks.resume(id);
  await until(async () => (await tasks.get(id)).status === "complete", 120_000);
  expect((await tasks.steps(id, 1, 10)).every(({ by }) => by === undefined)).toBe(true);
}, 300_000);

test("[TD-plan] a person answers an undecided step while another one runs, and what waited for it begins at once", async () => {
  doubtful = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  release = promise;
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts" });
  const statuses = async () =>
    ((await tasks.get(id)).state as { steps: { status: string }[] } | null)?.steps.map(
      ({ status }) => status,
    );
  await until(async () => (await statuses())?.[0] === "undecided", 120_000);
  expect(await tasks.get(id)).toMatchObject({ status: "running" });
  await expect(tasks.answer(id, 2, "x")).rejects.toThrow("undecided: 1");
  const answered = await tasks.answer(id, 1, "what a person wrote");
  expect(answered).toMatchObject({ status: "running", state: { steps: [{ status: "solved" }, {}, {}, {}] } });
  await expect(tasks.answer(id, 1, "again")).rejects.toThrow("undecided: none");
  await until(async () => (await statuses())?.[2] === "solved", 120_000);
  expect(await statuses()).toEqual(["solved", "open", "solved", "open"]);
  expect(prompts.get("3")).toContain("what a person wrote");
  resolve();
  await until(async () => (await tasks.get(id)).status === "complete", 120_000);
  expect((await tasks.steps(id, 1, 10)).map(({ by }) => by)).toEqual([
    "person",
    undefined,
    undefined,
    undefined,
  ]);
}, 300_000);

test("[TD-plan] steps that run side by side stay within the budget together", async () => {
  doubtful = false;
  calls = 0;
  const config = { max_calls: 12 };
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts", config });
  await until(async () => (await tasks.get(id)).status === "paused", 120_000);
  const paused = await tasks.get(id);
  expect(paused.step).toBeGreaterThanOrEqual(2);
  expect(paused.error!.message).toContain("max_calls");
  expect(paused.usage.calls).toBe(calls);
  expect(calls).toBeLessThanOrEqual(12);
}, 300_000);

test("[TD-fork] a fork of a plan solves a step and what builds on it again, and takes over the rest", async () => {
  doubtful = false;
  const { id } = await tasks.create({ kind: "plan", prompt: "Write a report in four parts" });
  await until(async () => (await tasks.get(id)).status === "complete", 120_000);
  const before = await tasks.steps(id, 1, 10);
  const fork = await tasks.fork(id, 1);
  expect(fork).toMatchObject({ step: 2, steps: 4, forked_from: { id, step: 1 } });
  await until(async () => (await tasks.get(fork.id)).status === "complete", 120_000);
  const after = await tasks.steps(fork.id, 1, 10);
  expect(after.map(({ step }) => step)).toEqual([1, 2, 3, 4]);
  expect([after[1], after[3]]).toEqual([before[1], before[3]]);
  expect((await tasks.get(fork.id)).usage.calls).toBe((await tasks.get(id)).usage.calls);
  await expect(tasks.fork(id, 9)).rejects.toThrow("step must be one of the plan: 1, 2, 3, 4");
}, 300_000);
