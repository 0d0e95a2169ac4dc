import { expect, test } from "vitest";
import { nextOutage } from "./outage-retry.ts";

const middle = () => 0.5;
const retry = { limit: 8, firstMs: 30_000 };

test("the waits double up to a quarter of an hour, and start again after a decided step", () => {
  const waits: (number | undefined)[] = [];
  let at = nextOutage({ outages: 0, atStep: null }, 5, retry, middle);
  for (let i = 0; i < 7; i++) {
    waits.push(at.delayMs);
    at = nextOutage(at, 5, retry, middle);
  }
  expect(waits.map((ms) => ms! / 1000)).toEqual([30, 60, 120, 240, 480, 900, 900]);
  expect(nextOutage(at, 6, retry, middle)).toEqual({ outages: 1, atStep: 6, delayMs: 30_000 });
});

test("beyond the limit a person is needed, and the reason says so; a limit of 0 never retries", () => {
  const last = nextOutage({ outages: 8, atStep: 5 }, 5, retry, middle);
  expect(last.delayMs).toBeUndefined();
  expect(last.exhausted).toContain("resumed 8 times without a decided step");
  expect(nextOutage({ outages: 0, atStep: null }, 5, { limit: 0, firstMs: 1 })).toEqual({
    outages: 1,
    atStep: 5,
  });
});

test("tasks of one outage do not come back at the same moment", () => {
  const first = nextOutage({ outages: 0, atStep: null }, 0, retry, () => 0).delayMs!;
  const last = nextOutage({ outages: 0, atStep: null }, 0, retry, () => 1).delayMs!;
  expect([first, last]).toEqual([22_500, 37_500]);
});
