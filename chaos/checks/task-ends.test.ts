import { expect, test } from "vitest";
import type { TaskStory } from "../load/history.ts";
import { problemsOf } from "./task-ends.ts";

const STORY: TaskStory = { name: "a", first: 1, steps: 100, id: "1", acknowledgedAt: 10, endedAt: 100 };
const LOSSES = [{ from: 90, to: 110 }];

test.each<[string, Partial<TaskStory>, string | undefined, string[]]>([
  ["complete", { end: "complete" }, "complete", []],
  ["cancelled by its client", { end: "cancelled", cancelSent: true, cancelledAt: 50 }, "cancelled", []],
  ["cancelled without a request", { end: "cancelled" }, "cancelled", ["ends"]],
  ["paused by its budget, on purpose", { end: "budget", maxCalls: 60 }, "paused", []],
  ["paused by a budget that it does not have", { end: "budget" }, "paused", ["ends"]],
  ["runs again after its end", { end: "complete" }, "running", ["ends"]],
  ["gone", { end: "complete" }, undefined, ["ends"]],
  ["without an end", {}, "running", ["ends"]],
  ["cancelled, but runs", { cancelledAt: 50 }, "running", ["cancelled"]],
  ["failed", { end: "failed" }, "failed", ["failed"]],
  ["stuck", { end: "stuck" }, "queued", ["stuck"]],
])("a task that is %s", (_, story, status, checks) => {
  const problems = problemsOf(
    { ...STORY, ...story },
    status === undefined ? undefined : { status, step: 3 },
    [],
  );
  expect(problems.map(({ check }) => check)).toEqual(checks);
});

test("what a failover may have lost explains an end that is gone", () => {
  expect(problemsOf({ ...STORY, end: "complete" }, { status: "running", step: 3 }, LOSSES)).toEqual([]);
});
