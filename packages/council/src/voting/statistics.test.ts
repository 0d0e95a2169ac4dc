import { expect, test } from "vitest";
import { chanceOfMajority } from "./ending.ts";
import { chanceRight, expectedVotes, kMin, lowerBound } from "./statistics.ts";

test.each([
  [0.3571, 29],
  [0.004, 4],
  [0.0022, 3],
  [0.0018, 3],
  [0.1839, 12],
  [0.0358, 6],
  [0.2342, 15],
  [0.0569, 6],
  [0.0393, 6],
])("[V-auto] for 2^20 - 1 steps at 95 %%, an error rate of %f needs a lead of %i", (error, k) => {
  expect(kMin({ p: 1 - error, target: 0.95, steps: 1_048_575 })).toBe(k);
});

test.each([
  [0.8, 0.99, 4],
  [0.95, 0.99, 2],
  [0.995, 0.99, 1],
  [1, 0.99, 1],
])("[V-auto] one question at p = %f and target %f needs a lead of %i", (p, target, k) => {
  expect(kMin({ p, target })).toBe(k);
  expect(chanceRight(p, k)).toBeGreaterThanOrEqual(target);
});

test("[V-auto] no lead is enough for a coin or worse", () => {
  expect(kMin({ p: 0.5 })).toBe(Number.POSITIVE_INFINITY);
  expect(kMin({ p: 0.2 })).toBe(Number.POSITIVE_INFINITY);
  expect(kMin({ p: Number.NaN })).toBe(Number.POSITIVE_INFINITY);
});

test("[V-chance] a lead of k is right with chance 1/(1+r^k) and takes (k/(2p-1)) (1-r^k)/(1+r^k) votes", () => {
  for (const p of [0.55, 0.7, 0.9, 0.998])
    for (const k of [1, 2, 3, 5, 25]) {
      const rk = ((1 - p) / p) ** k;
      expect(chanceRight(p, k)).toBeCloseTo(1 / (1 + rk), 12);
      expect(expectedVotes(p, k)).toBeCloseTo(((k / (2 * p - 1)) * (1 - rk)) / (1 + rk), 9);
    }
});

test("a lead of one is decided by the first vote", () => {
  expect(expectedVotes(0.7, 1)).toBeCloseTo(1, 12);
  expect(chanceRight(0.7, 1)).toBeCloseTo(0.7, 12);
});

test("the expectation is continuous at p = 1/2, where it is k squared", () => {
  expect(expectedVotes(0.5, 4)).toBe(16);
  expect(expectedVotes(0.5 + 1e-7, 4)).toBeCloseTo(16, 4);
});

test.each([
  [0, 0, 0.5],
  [3, 3, 1 - 0.5 ** 4],
  [1, 2, 0.5],
  [1, 7, 9 / 256],
])("after %i of %i votes a majority has chance %f", (votes, total, chance) => {
  expect(chanceOfMajority(votes, total)).toBeCloseTo(chance, 12);
});

test("the chance of a majority survives a thousand votes", () => {
  expect(chanceOfMajority(500, 1000)).toBeCloseTo(0.5, 1);
  expect(chanceOfMajority(700, 1000)).toBeCloseTo(1, 9);
});

test("the lower bound lies under the share and closes in on it with more votes", () => {
  expect(lowerBound(0, 0)).toBe(0);
  expect(lowerBound(9, 10)).toBeLessThan(0.9);
  expect(lowerBound(900, 1000)).toBeGreaterThan(lowerBound(9, 10));
  expect(lowerBound(90_000, 100_000)).toBeCloseTo(0.9, 2);
});
