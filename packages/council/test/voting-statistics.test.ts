/**
 * The scheduler against the theory: for each accuracy, lead and share of valid answers, many whole votes with answers
 * arriving out of order. Calls per vote must match the expectation, the error rate its formula, and no call be wasted.
 */
import { describe, expect, test } from "vitest";
import { type Arrival, voteLoop } from "../src/voting/loop.ts";
import { chanceRight, expectedVotes } from "../src/voting/statistics.ts";
import { seededRandom } from "./seeded-random.ts";
import { virtualClock } from "./virtual-clock.ts";

const ACCURACIES = [0.7, 0.8, 0.9, 0.95, 0.998];
const LEADS = [1, 2, 3, 4, 5];
const VALID_SHARES = [1, 0.97, 0.8];

/** Votes are repeated until the standard error of the mean number of calls is 1 % of it. */
const PRECISION = 0.01;
/** 99.9 % on both sides: 75 cells are tested at once. */
const Z = 3.29;

describe.each(VALID_SHARES)("[V-statistics] with a share of %f valid answers", (valid) => {
  const ratios: number[] = [];

  test.each(ACCURACIES.flatMap((p) => LEADS.map((k) => [p, k] as const)))(
    "p = %f, k = %i: as many calls and errors as computed, none wasted",
    async (p, k) => {
      const { runs, meanCalls, errorRate, wasted } = await measure({ p, k, valid });
      const expectedCalls = expectedVotes(p, k) / valid;
      const expectedErrors = 1 - chanceRight(p, k);
      const ratio = meanCalls / expectedCalls;
      ratios.push(ratio);
      expect(Math.abs(ratio - 1)).toBeLessThan(Z * PRECISION);
      const margin = Z * Math.sqrt((expectedErrors * (1 - expectedErrors)) / runs) + 1 / runs;
      expect(Math.abs(errorRate - expectedErrors)).toBeLessThanOrEqual(margin);
      expect(wasted).toBe(0);
    },
  );

  test("over all of them, the calls are as computed to less than a percent", () => {
    expect(ratios).toHaveLength(ACCURACIES.length * LEADS.length);
    const mean = ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
    expect(Math.abs(mean - 1)).toBeLessThan((Z * PRECISION) / Math.sqrt(ratios.length));
  });
});

async function measure({ p, k, valid }: { p: number; k: number; valid: number }) {
  const random = seededRandom(1 + Math.round(p * 1000) * 100 + k * 10 + Math.round(valid * 7));
  const clock = virtualClock();
  let [runs, sum, squares, errors, wasted] = [0, 0, 0, 0, 0];
  for (;;) {
    const { winner, calls, waste } = await oneVote();
    // Ended after k + 3 invalid answers in a row; the formulas know no such end.
    if (winner === null) continue;
    runs++;
    sum += calls;
    squares += calls * calls;
    wasted += waste;
    if (winner !== "right") errors++;
    const mean = sum / runs;
    const standardError = Math.sqrt(Math.max(0, squares / runs - mean * mean) / runs);
    if (runs >= 1000 && standardError < PRECISION * mean) break;
  }
  return { runs, meanCalls: sum / runs, errorRate: errors / runs, wasted };

  async function oneVote() {
    const waiting: ((arrival: Arrival) => void)[] = [];
    let ended = false;
    let calls = 0;
    const sample = () => {
      calls++;
      return new Promise<Arrival>((resolve) => waiting.push(resolve));
    };
    const done = voteLoop({
      k,
      maxSamples: Number.POSITIVE_INFINITY,
      speculation: 0,
      hedge: false,
      clock,
      sample,
    });
    done.then(() => (ended = true));
    while (!ended) {
      const [arrive] = waiting.splice(Math.floor(random() * waiting.length), 1);
      arrive!(answer());
      await Promise.resolve();
      await Promise.resolve();
    }
    const { winner, wasted: waste } = await done;
    return { winner, calls, waste };
  }

  function answer(): Arrival {
    if (random() >= valid) return { kind: "flagged" };
    return { kind: "vote", key: random() < p ? "right" : "wrong" };
  }
}
