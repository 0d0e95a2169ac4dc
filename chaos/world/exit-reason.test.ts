import { expect, test } from "vitest";
import { exitReason, findReason } from "./exit-reason.ts";

test("a start that gives up waiting for the database ends with 2 and its reason; with another code, or settings that are wrong, it is a finding", () => {
  const said = findReason("Invalid settings:\n  - DATABASE_URL: timeout expired. Waited 30 seconds for it");
  expect(exitReason("2", said)).toBe("the database was away for longer than a start waits");
  expect(exitReason("1", said)).toBeUndefined();
  expect(exitReason("2", findReason("Invalid settings:\n  - PORT must be a number"))).toBeUndefined();
});
