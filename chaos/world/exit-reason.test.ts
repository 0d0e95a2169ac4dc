import { expect, test } from "vitest";
import { exitReason, findReason } from "./exit-reason.ts";

test("a start that gives up waiting for the database ends with 2 and its reason; with another code, or settings that are wrong, it is a finding", () => {
  const said = findReason(
    "The service cannot start:\n  - DATABASE_URL: timeout expired. Waited 30 seconds for it",
  );
  expect(exitReason("2", said, "")).toBe("the database was away for longer than a start waits");
  expect(exitReason("1", said, "")).toBeUndefined();
  expect(exitReason("2", findReason("Invalid settings:\n  - PORT must be a number"), "")).toBeUndefined();
});

test("an instance that crashes on its way out is a finding, whatever it had said before", () => {
  const said = findReason("instance a was declared dead by another instance: it stops");
  expect(exitReason("1", said, "Error: x\n    at close\n")).toBe("declared dead by another instance");
  expect(exitReason("1", said, "Error: x\n    at close\n\nNode.js v24.21.0\n")).toBeUndefined();
});
