import { expect, test } from "vitest";
import { createSpeeds } from "./speeds.ts";

test("[L-speed] the tokens that fit into a time follow the measured speed, the newest replies most", () => {
  const speeds = createSpeeds();
  expect(speeds.tokensWithin("a", 1000)).toBeUndefined();
  speeds.note("a", 100, 10_000);
  expect(speeds.tokensWithin("a", 60_000)).toBe(600);
  speeds.note("a", 20, 10_000);
  expect(speeds.tokensWithin("a", 60_000)).toBe(456);
  expect(speeds.tokensWithin("a", Number.POSITIVE_INFINITY)).toBeUndefined();
  expect(speeds.tokensWithin("b", 1000)).toBeUndefined();
});

test("[L-speed] a reply of a few tokens, or without a time, tells nothing", () => {
  const speeds = createSpeeds();
  speeds.note("a", 3, 5000);
  speeds.note("a", 100, 0);
  speeds.note("a", Number.NaN, 100);
  expect(speeds.tokensWithin("a", 1000)).toBeUndefined();
});
