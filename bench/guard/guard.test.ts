import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { hasGrown } from "./guard.ts";
import { MEASURES } from "./measures.ts";

test("every measure has its committed number, and some need no clock", () => {
  const committed = JSON.parse(readFileSync(new URL("committed.json", import.meta.url), "utf8"));
  expect(Object.keys(committed).sort()).toEqual(Object.keys(MEASURES).sort());
  expect(Object.values(MEASURES).filter(({ quick }) => quick).length).toBeGreaterThan(2);
});

test("what grows by more than 15 %, or has no number to compare with, fails", () => {
  expect([hasGrown(100, 115), hasGrown(100, 116), hasGrown(100, 20)]).toEqual([false, true, false]);
  expect(hasGrown(undefined, 1)).toBe(true);
});
