import { setTimeout } from "node:timers/promises";
import { expect, test } from "vitest";
import { format } from "./format.ts";
import { compare, measure, median } from "./measure.ts";

test("the median of an even number of values lies between the middle ones", () => {
  expect(median([5, 1, 3])).toBe(3);
  expect(median([4, 1, 3, 100])).toBe(3.5);
});

test("every round does as many calls as planned, so many at once, after one to warm up", async () => {
  let [calls, running, most] = [0, 0, 0];
  await measure(
    async () => {
      calls += 1;
      most = Math.max(most, ++running);
      await setTimeout(0);
      running -= 1;
    },
    { calls: 10, concurrency: 4, rounds: 3 },
  );
  expect(calls).toBe(40);
  expect(most).toBe(4);
});

test("both sides take turns, and the first one changes", async () => {
  const order: string[] = [];
  const side = (name: string) => () => void order.push(name);
  const { bare, ours, ratio } = await compare(side("bare"), side("ours"), { calls: 1, rounds: 3 });
  expect(order).toEqual(["bare", "ours", "bare", "ours", "ours", "bare", "bare", "ours"]);
  expect(bare.low).toBeLessThanOrEqual(bare.median);
  expect(ours.median).toBeLessThanOrEqual(ours.high);
  expect(ratio).toBeGreaterThan(0);
});

test("a table says of every target whether it was met", () => {
  const table = format([
    { what: "one", bare: "1 µs", ours: "2 µs", ratio: 2, target: 1.5 },
    { what: "two", bare: "1 µs", ours: "1 µs", ratio: 1, target: 1.5 },
  ]);
  expect(table).toMatch(/\| one .*MISSED/);
  expect(table).toMatch(/\| two .*met/);
});
