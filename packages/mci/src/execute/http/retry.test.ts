import { describe, expect, test } from "vitest";
import { ToolError } from "../../errors.ts";
import { type Clock, RetryableError, retry, retryAfterMs } from "./retry.ts";

/** A clock that only moves during a sleep. */
function clock(totalMs: number): Clock & { readonly waits: number[] } {
  const waits: number[] = [];
  return {
    waits,
    remaining: () => totalMs - waits.reduce((sum, ms) => sum + ms, 0),
    sleep: async (ms) => void waits.push(ms),
  };
}

const failure = new ToolError("http_network", "no");
const failing = (times: number, afterMs?: number) => async (number: number) => {
  if (number <= times) throw new RetryableError(failure, afterMs);
  return number;
};

test("[H-retry] attempts include the first, waits double", async () => {
  const time = clock(60_000);
  expect(await retry(failing(3), { attempts: 4, backoffMs: 100 }, time, () => 0)).toBe(4);
  expect(time.waits).toEqual([100, 200, 400]);
});

test("[H-retry] jitter takes up to half away", async () => {
  const time = clock(60_000);
  await retry(failing(2), { attempts: 3, backoffMs: 100 }, time, () => 0.999_999);
  expect(time.waits.map(Math.round)).toEqual([50, 100]);
});

test("[H-retry] one attempt is one try and no wait", async () => {
  const time = clock(60_000);
  await expect(retry(failing(1), { attempts: 1, backoffMs: 100 }, time)).rejects.toBe(failure);
  expect(time.waits).toEqual([]);
});

test("[H-retry] an error that is not transient ends it at once", async () => {
  let attempts = 0;
  const attempt = async () => {
    attempts++;
    throw failure;
  };
  await expect(retry(attempt, { attempts: 5, backoffMs: 1 }, clock(1000))).rejects.toBe(failure);
  expect(attempts).toBe(1);
});

test("[H-retry] the server's Retry-After comes before the backoff", async () => {
  const time = clock(60_000);
  await retry(failing(1, 7000), { attempts: 2, backoffMs: 1 }, time);
  expect(time.waits).toEqual([7000]);
});

test("[H-retry] a wait that would reach the deadline is not begun", async () => {
  const time = clock(5000);
  await expect(retry(failing(1, 5000), { attempts: 2, backoffMs: 1 }, time)).rejects.toBe(failure);
  await expect(retry(failing(1), { attempts: 2, backoffMs: 20_000 }, time)).rejects.toBe(failure);
  expect(time.waits).toEqual([]);
});

describe("Retry-After", () => {
  const now = Date.UTC(2025, 0, 1, 12, 0, 0);
  test.each([
    ["0", 0],
    [" 120 ", 120_000],
    ["Wed, 01 Jan 2025 12:00:30 GMT", 30_000],
    ["Wed, 01 Jan 2025 11:00:00 GMT", 0],
    ["soon", undefined],
    ["-5x", undefined],
    ["-5", undefined],
    ["1.5", undefined],
    [undefined, undefined],
  ])("[H-retry] %j means %j ms", (header, ms) => {
    expect(retryAfterMs(header, now)).toBe(ms);
  });
});
