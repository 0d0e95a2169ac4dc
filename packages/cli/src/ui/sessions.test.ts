import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Sessions } from "./sessions.ts";

const LIFE_MS = 1000;

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

test("[UI-token] a token that was issued works once and not after its life; what belongs to it is removed once", () => {
  const sessions = new Sessions();
  const gone = vi.fn();
  const used = sessions.issue(LIFE_MS, gone);
  const late = sessions.issue(LIFE_MS, gone);
  const shown = sessions.oneTimeToken;
  sessions.check(`Bearer ${sessions.open(`Bearer ${used.token}`).session}`);
  expect(gone).toHaveBeenCalledTimes(1);
  expect(() => sessions.open(`Bearer ${used.token}`)).toThrow(/used before/);
  vi.advanceTimersByTime(LIFE_MS);
  expect(gone).toHaveBeenCalledTimes(2);
  expect(() => sessions.open(`Bearer ${late.token}`)).toThrow(/too old/);
  late.revoke();
  expect(gone).toHaveBeenCalledTimes(2);
  // The address in the terminal stays good until it is used itself.
  expect(sessions.open(`Bearer ${shown}`).isNewAddress).toBe(true);
  expect(() => sessions.open(`Bearer ${shown}`)).toThrow(/used before/);
});

test.each(["", "Bearer", "Bearer ", "Bearer undefined", "Basic x", "Bearer a b"])(
  "[UI-token] %j opens nothing",
  (authorization) => {
    const sessions = new Sessions();
    expect(() => sessions.open(authorization)).toThrow();
    expect(() => sessions.check(authorization)).toThrow();
  },
);
