import { expect, test } from "vitest";
import { allotBudget } from "./plan-budget.ts";
import { NO_USAGE } from "./usage.ts";

const calls = (max_calls: number) => ({ max_calls });

test.each([
  ["without a limit all start", {}, [], 5, { start: 5, budget: {} }],
  ["steps side by side get equal parts", calls(100), [], 4, { start: 4, budget: { max_calls: 25 } }],
  ["a step alone gets all that is left", calls(100), [], 1, { start: 1, budget: { max_calls: 100 } }],
  [
    "what running steps may spend is not given away again",
    calls(100),
    [calls(60)],
    2,
    { start: 2, budget: { max_calls: 20 } },
  ],
  ["a small budget goes to fewer steps", calls(25), [], 4, { start: 2, budget: { max_calls: 12 } }],
  ["a very small one to a single step", calls(4), [], 3, { start: 1, budget: { max_calls: 4 } }],
  ["the others wait for what it leaves", calls(12), [calls(4)], 2, { start: 0 }],
  ["also where nothing is left at the moment", calls(4), [calls(4)], 2, { start: 0 }],
  ["tokens are divided, too", { max_tokens: 900 }, [], 3, { start: 3, budget: { max_tokens: 300 } }],
  ["and cost", { max_usd: 1 }, [{ max_usd: 0.5 }], 2, { start: 2, budget: { max_usd: 0.25 } }],
  ["nothing left and nothing running", calls(0), [], 2, { exhausted: "max_calls" }],
])("[TK-plan-budget] %s", (_, limits, reserved, ready, expected) => {
  const allotted = allotBudget(limits, NO_USAGE, reserved, ready);
  expect(allotted).toMatchObject(expected);
  if ("exhausted" in allotted) return;
  const { max_calls = 0 } = allotted.budget;
  const all = reserved.reduce((sum, one) => sum + ("max_calls" in one ? one.max_calls : 0), 0);
  if ("max_calls" in limits) expect(all + max_calls * allotted.start).toBeLessThanOrEqual(limits.max_calls);
});
