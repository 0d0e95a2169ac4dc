import { describe, expect, test } from "vitest";
import { fitBetaCalibration } from "./beta-calibration.ts";
import { createCalibration, MIN_OUTCOMES, type Outcome } from "./calibration.ts";
import { chanceLeaderRight, effectiveVotes, measureDependence } from "./dependence.ts";
import { chanceRight } from "./statistics.ts";

describe("[V-calibrated] the arithmetic", () => {
  const repeat = (votes: number, counts: readonly number[]) =>
    counts.flatMap((count, right) => Array.from({ length: count }, () => ({ votes, right })));

  test("dependence: near one where all samples of a question agree, near zero where they are drawn one by one", () => {
    expect(measureDependence(repeat(4, [100, 0, 0, 0, 100])).dependence).toBeGreaterThan(0.97);
    expect(measureDependence(repeat(4, [30, 120, 180, 120, 30])).dependence).toBeLessThan(0.02);
    // Beta(1, 1): every number of right votes is as likely, the correlation is 1 / (1 + 1 + 1).
    const even = measureDependence(repeat(4, [100, 100, 100, 100, 100]));
    expect(even.dependence).toBeCloseTo(1 / 3, 2);
    expect(even.p).toBeCloseTo(0.5, 2);
  });

  test("few questions leave the prior", () => {
    expect(measureDependence([]).dependence).toBeCloseTo(0.5, 1);
    const two = measureDependence(repeat(3, [0, 0, 0, 2]));
    expect(two.p).toBeGreaterThan(0.5);
    expect(two.p).toBeLessThan(0.9);
  });

  test("effective votes: all, one, and between", () => {
    expect(effectiveVotes(8, 0)).toBe(8);
    expect(effectiveVotes(8, 1)).toBe(1);
    expect(effectiveVotes(3, 0.5)).toBe(1.5);
    expect(effectiveVotes(0, 0.5)).toBe(0);
  });

  test("without dependence the chance is the paper's, with full dependence that of one vote", () => {
    for (const [leader, votes] of [
      [3, 3],
      [4, 5],
      [5, 7],
    ] as const) {
      expect(chanceLeaderRight(leader, votes, { p: 0.8, dependence: 0 })).toBeCloseTo(
        chanceRight(0.8, 2 * leader - votes),
        10,
      );
      expect(chanceLeaderRight(leader, votes, { p: 0.8, dependence: 1e-7 })).toBeCloseTo(
        chanceRight(0.8, 2 * leader - votes),
        4,
      );
    }
    expect(chanceLeaderRight(8, 8, { p: 0.6, dependence: 1 })).toBeCloseTo(0.6, 6);
    // Beta(1, 1) for p: the leader of 3 votes has no better odds than its rival.
    expect(chanceLeaderRight(3, 3, { p: 0.5, dependence: 1 / 3 })).toBeCloseTo(0.5, 10);
    // Beta(2, 1): B(5, 1) / (B(5, 1) + B(2, 4)) = (1/5) / (1/5 + 1/20) = 0.8.
    expect(chanceLeaderRight(3, 3, { p: 2 / 3, dependence: 0.25 })).toBeCloseTo(0.8, 10);
  });

  test("beta calibration: the identity without outcomes, the share that came true with many, intervals that narrow", () => {
    const none = fitBetaCalibration([]);
    expect(none(0.9).value).toBeCloseTo(0.9, 9);
    const outcomes = (count: number) =>
      Array.from({ length: count }, (_, i) => ({ chance: 0.94, right: i % 10 < 5 }));
    const few = fitBetaCalibration(outcomes(20))(0.94);
    const many = fitBetaCalibration(outcomes(2000))(0.94);
    expect(many.value).toBeCloseTo(0.5, 1);
    expect(few.value).toBeGreaterThan(many.value);
    expect(few.interval[1] - few.interval[0]).toBeGreaterThan(3 * (many.interval[1] - many.interval[0]));
    expect(many.interval[0]).toBeLessThan(0.5);
    expect(many.interval[1]).toBeGreaterThan(0.5);
  });

  test("there is no confidence before there are enough outcomes; a kind without enough falls back to all kinds", () => {
    const outcome = (kind: string): Outcome => ({
      model: "m",
      strategy: "s",
      kind,
      leader_votes: 3,
      votes: 3,
      right_votes: 3,
      right: true,
    });
    const calibration = createCalibration(Array.from({ length: MIN_OUTCOMES - 1 }, () => outcome("text")));
    expect(calibration.measured({ model: "m", strategy: "s", kind: "text" })).toBeUndefined();
    calibration.add(outcome("choice"));
    expect(calibration.measured({ model: "m", strategy: "s", kind: "text" })!.outcomes).toBe(MIN_OUTCOMES);
    const basis = { model: "m", strategy: "s" };
    expect(calibration.count({ ...basis, kind: "text" })).toEqual({ outcomes: MIN_OUTCOMES, allKinds: true });
    calibration.add(outcome("text"));
    expect(calibration.count({ ...basis, kind: "text" })).toEqual({
      outcomes: MIN_OUTCOMES,
      allKinds: false,
    });
    expect(calibration.count({ ...basis, kind: "number" }).allKinds).toBe(true);
    expect(calibration.count({ model: "other", strategy: "s", kind: "text" }).outcomes).toBe(0);
    expect(calibration.measured({ model: "other", strategy: "s", kind: "text" })).toBeUndefined();
  });
});
