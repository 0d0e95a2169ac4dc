import { expect, test, vi } from "vitest";
import { TaskStore } from "./call-task-store.ts";

const result = { content: [{ type: "text" as const, text: "done" }] };
const form = { mode: "form" as const, message: "?", requestedSchema: {} };

test("a task belongs to the caller that made it [RUN-tasks-limits]", () => {
  const store = new TaskStore();
  const task = store.create({ owner: "ann", timeoutMs: 0 })!;
  expect(task.id).toMatch(/^[\w-]{32}$/);
  expect(store.find(task.id, "ann")).toBe(task);
  for (const owner of ["bob", ""]) expect(store.find(task.id, owner)).toBeUndefined();
  store.close();
  expect([store.find(task.id, "ann"), task.signal.aborted]).toEqual([undefined, true]);
});

test("there are at most 50 tasks of a caller and 200 of all, and at most 256 MiB of results [RUN-tasks-limits]", async () => {
  const store = new TaskStore();
  const create = (owner: string) => store.create({ owner, timeoutMs: 0 });
  for (let count = 0; count < 50; count++) expect(create("a")).toBeDefined();
  expect(create("a")).toBeUndefined();
  for (const owner of ["b", "c", "d"]) for (let count = 0; count < 50; count++) create(owner);
  expect(create("e")).toBeUndefined();
  store.close();
  const large = store.create({ owner: "a", timeoutMs: 0 })!;
  vi.spyOn(large, "bytes", "get").mockReturnValue(257 * 1024 * 1024);
  expect(create("b")).toBeUndefined();
  large.end();
  expect(create("b")).toBeDefined();
  store.close();
});

test("a task is gone after its time, and its call is cancelled [RUN-tasks-limits]", () => {
  vi.useFakeTimers();
  try {
    const store = new TaskStore();
    const task = store.create({ owner: "", timeoutMs: 60_000 })!;
    vi.advanceTimersByTime(61 * 60_000 - 1);
    expect(store.find(task.id, "")).toBe(task);
    vi.advanceTimersByTime(1);
    expect([store.find(task.id, ""), task.signal.aborted]).toEqual([undefined, true]);
  } finally {
    vi.useRealTimers();
  }
});

test("what was cancelled stays cancelled, and what has ended stays as it ended [RUN-tasks]", async () => {
  const store = new TaskStore();
  const [cancelled, ended] = [
    store.create({ owner: "", timeoutMs: 0 })!,
    store.create({ owner: "", timeoutMs: 0 })!,
  ];
  cancelled.cancel();
  await cancelled.follow(Promise.resolve(result));
  expect(cancelled.detailed()).toMatchObject({ status: "cancelled" });
  expect(cancelled.detailed()).not.toHaveProperty("result");
  await ended.follow(Promise.resolve(result));
  ended.cancel();
  expect(ended.detailed()).toMatchObject({ status: "completed", result });
  store.close();
});

test("questions stay open until each is answered; answers to others are ignored [RUN-tasks]", async () => {
  const store = new TaskStore();
  const task = store.create({ owner: "", timeoutMs: 0 })!;
  const both = Promise.all([task.ask(form), task.ask(form)]);
  expect(Object.keys((task.detailed() as { inputRequests: object }).inputRequests)).toEqual([
    "input-1",
    "input-2",
  ]);
  task.answer({ "input-1": { action: "decline" }, other: { action: "accept" }, "input-2": "yes" });
  expect(task.detailed()).toMatchObject({ status: "input_required" });
  task.answer({ "input-1": { action: "accept" }, "input-2": { action: "accept", content: { a: 1 } } });
  expect(task.detailed()).toMatchObject({ status: "working" });
  expect(await both).toEqual([{ action: "decline" }, { action: "accept", content: { a: 1 } }]);
  store.close();
});
