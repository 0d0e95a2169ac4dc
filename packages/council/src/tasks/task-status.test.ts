import { expect, test } from "vitest";
import { nextStatus, refusal, type TaskAction, type TaskStatus } from "./task-status.ts";

test.each<[TaskAction, TaskStatus, TaskStatus | undefined]>([
  ["pause", "running", "paused"],
  ["pause", "complete", undefined],
  ["resume", "paused", "queued"],
  ["resume", "cancelled", undefined],
  ["cancel", "paused", "cancelled"],
  ["cancel", "failed", undefined],
  ["retry", "failed", "queued"],
  ["retry", "complete", undefined],
  ["delete", "complete", "complete"],
  ["delete", "running", undefined],
  ["fork", "complete", "queued"],
  ["answer", "paused", "queued"],
  ["answer", "complete", undefined],
])("[TK-actions] %s of a task that is %s", (action, status, next) => {
  expect(nextStatus(status, action)).toBe(next);
});

test("[TK-actions] a refusal says what is possible", () => {
  expect(refusal("complete", "resume")).toBe(
    'The task is complete, so it cannot take "resume". Possible now: fork, delete.',
  );
});
