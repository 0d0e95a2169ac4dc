import { expect, test } from "vitest";
import type { Decomposition } from "../result.ts";
import { blockedSteps, inOrder, type PlanResults, type PlanStepResult, readySteps, shorten } from "./plan.ts";
import { NO_USAGE } from "./usage.ts";

/** 1 and 2 are free, 3 needs 1, 4 needs 2, 5 needs 3 and 4. */
const plan: Decomposition = {
  task: "t",
  total_steps: 5,
  steps: [[], [], [1], [2], [3, 4]].map((dependencies, i) => ({
    id: i + 1,
    action: `do ${i + 1}`,
    dependencies,
  })),
};
const solved: PlanStepResult = { kind: "solved", result: "r", calls: 3, tool: "t", spent: NO_USAGE };
const undecided: PlanStepResult = { kind: "undecided", reason: "tie", spent: NO_USAGE };
const ids = (steps: readonly { id: number }[]) => steps.map(({ id }) => id);

test.each<[string, PlanResults, number[], number[]]>([
  ["nothing is done", {}, [1, 2], []],
  ["one step is solved", { 1: solved }, [2, 3], []],
  ["one step is undecided", { 1: undecided }, [2], [3, 5]],
  ["the other branch is solved", { 1: undecided, 2: solved }, [4], [3, 5]],
  ["only what is blocked is left", { 1: undecided, 2: solved, 4: solved }, [], [3, 5]],
  ["all but the last are solved", { 1: solved, 2: solved, 3: solved, 4: solved }, [5], []],
])("[TK-plan] when %s, the right steps are ready and blocked", (_, results, ready, blocked) => {
  expect(ids(readySteps(plan, results))).toEqual(ready);
  expect(ids(blockedSteps(plan, results))).toEqual(blocked);
});

test("steps come after what they depend on, also where they are numbered before it", () => {
  const steps = [[2], []].map((dependencies, i) => ({ id: i + 1, action: "a", dependencies }));
  expect(ids(inOrder({ task: "t", total_steps: 2, steps }))).toEqual([2, 1]);
});

test("a long result is passed on with its beginning, its end and what is missing", () => {
  const short = shorten(`${"a".repeat(100)}${"z".repeat(100)}`, 50);
  expect(short).toMatch(/^a{35}\n\[… 150 characters left out …\]\nz{15}$/);
  expect(shorten("as it is", 50)).toBe("as it is");
});
