import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { raceAbort, sleep, startDeadline, withDeadline } from "./abort.ts";

const reasons = { timeout: () => new Error("late"), aborted: () => new Error("cancelled") };

test("a deadline aborts with the reason for a timeout", async () => {
  const { signal, remaining, stop } = startDeadline(20, undefined, reasons);
  expect(remaining()).toBeGreaterThan(0);
  await expect(sleep(5000, signal)).rejects.toThrow("late");
  stop();
});

test("a caller's abort gives the other reason, and no listener stays behind", async () => {
  const caller = new AbortController();
  const work = withDeadline(5000, caller.signal, reasons, (signal) => sleep(5000, signal));
  caller.abort();
  await expect(work).rejects.toThrow("cancelled");
  expect(getEventListeners(caller.signal, "abort")).toHaveLength(0);
});

test("work is not started for a caller that has cancelled already", async () => {
  let started = false;
  const work = withDeadline(5000, AbortSignal.abort(), reasons, async () => {
    started = true;
  });
  await expect(work).rejects.toThrow("cancelled");
  expect(started).toBe(false);
});

test("the result of the work comes through, and so does its own error", async () => {
  await expect(withDeadline(5000, undefined, reasons, async () => 7)).resolves.toBe(7);
  const failing = withDeadline(5000, undefined, reasons, async () => {
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
});

test("a delay longer than a timer can hold does not end at once", async () => {
  const { signal, stop } = startDeadline(2 ** 40, undefined, reasons);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(signal.aborted).toBe(false);
  stop();
});

test("raceAbort leaves no listener behind when the promise is first", async () => {
  const { signal } = new AbortController();
  await expect(raceAbort(Promise.resolve(1), signal)).resolves.toBe(1);
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});
