import { expect, test } from "vitest";
import { cpuMs } from "../../../test/cpu-time.ts";
import { ModelError } from "../src/model.ts";
import { ask } from "./ask.ts";
import { inOrder } from "./scripted-model.ts";

const LOGIN = { prompt: "Decompose the task: 'Create a user login system'" };
const step = (id: number, dependencies: number[] = [], more: object = {}) => ({
  id,
  action: `do ${id}`,
  dependencies,
  ...more,
});
const plan = (steps: object[], more: object = {}) => ({
  object: { task: "Create a user login system", total_steps: steps.length, steps, ...more },
});
const good = plan([step(1), step(2), step(3, [2]), step(4, [3, 1])]);

test("[D-object] the result is the decomposition as an object, null fields left out", async () => {
  const { result } = ask(LOGIN, {
    decompose: inOrder(plan([step(1, [], { input: null, output: "a form" }), step(2, [1])])),
  });
  const { result: found, metadata } = await result;
  expect(found).toEqual({
    task: "Create a user login system",
    total_steps: 2,
    steps: [
      { id: 1, action: "do 1", output: "a form", dependencies: [] },
      { id: 2, action: "do 2", dependencies: [1] },
    ],
  });
  expect(metadata).toMatchObject({
    tool_used: "decompose_task",
    status: "complete",
    routing: { rule: "plan.decompose" },
    usage: { calls: 1 },
  });
  expect(metadata.voting).toBeUndefined();
});

test("a step may depend on a later one, as long as no circle arises", async () => {
  const { result } = ask(LOGIN, { decompose: inOrder(plan([step(1, [2]), step(2)])) });
  expect((await result).metadata.usage.calls).toBe(1);
});

test.each([
  ["an id is skipped", plan([step(1), step(3)]), "step 2 has the id 3"],
  ["ids start at 0", plan([step(0), step(1)]), "has the id 0"],
  ["an id repeats", plan([step(1), step(1)]), "has the id 1"],
  ["a dependency does not exist", plan([step(1, [7])]), "step 7, which does not exist"],
  ["a dependency is 0", plan([step(1, [0])]), "does not exist"],
  ["a dependency is not a whole number", plan([step(1), step(2, [0.5])]), "does not exist"],
  ["a step depends on itself", plan([step(1, [1])]), "depends on itself"],
  [
    "steps depend on each other in a circle",
    plan([step(1, [3]), step(2, [1]), step(3, [2])]),
    "depends on itself",
  ],
  ["total_steps is wrong", plan([step(1)], { total_steps: 2 }), "total_steps is 2"],
  ["there are no steps", plan([]), "no steps"],
  ["the task is empty", plan([step(1)], { task: "" }), "task"],
  ["it is prose", { text: "1. do this 2. do that" }, "no JSON object"],
])("[D-valid] when %s it is sampled again; when that never ends, it is an error", async (_, bad, reason) => {
  const again = ask(LOGIN, { decompose: inOrder(bad, good) });
  const { result, metadata } = await again.result;
  expect(result).toMatchObject({ total_steps: 4 });
  expect(metadata.usage.calls).toBe(2);
  const never = ask(LOGIN, { decompose: inOrder(bad) });
  await expect(never.result).rejects.toMatchObject({
    code: "invalid_decomposition",
    message: expect.stringContaining(reason),
  });
  expect(never.model.requests).toHaveLength(6);
});

test("a plan of many thousand steps, each waiting for the next, is checked at once", async () => {
  const { problemOf } = await import("../src/strategies/decompose.ts");
  // Deep enough to overflow the stack of a check that calls itself, and to never end for one that looks at a step twice.
  const count = 20_000;
  const steps = Array.from({ length: count }, (_, i) => ({
    id: i + 1,
    action: "x",
    dependencies: i + 1 < count ? [i + 2, i + 2] : [],
  }));
  const started = cpuMs();
  expect(problemOf({ task: "x", total_steps: count, steps })).toBeUndefined();
  steps.at(-1)!.dependencies = [1];
  expect(problemOf({ task: "x", total_steps: count, steps })).toContain("depends on itself");
  expect(cpuMs() - started).toBeLessThan(1000);
});

test("an answer many times longer than it may be is discarded, whatever it is for", async () => {
  const long = plan([step(1)], { task: "x".repeat(140_000) });
  const { result } = ask(LOGIN, { decompose: inOrder(long, good) });
  expect((await result).metadata.raw_output).toContain("red flag, too_long");
});

test("[D-valid] a model that cannot be reached is another error", async () => {
  const { result } = ask(LOGIN, {
    decompose: inOrder({ error: new ModelError("down", { retryable: false }) }),
  });
  await expect(result).rejects.toMatchObject({ code: "all_calls_failed" });
});
