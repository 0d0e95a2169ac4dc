import { wilson } from "@mci-ts/primitives/wilson";
import { describe, expect, it } from "vitest";
import type { Result } from "../run/results-file.ts";
import { compareMethods } from "./comparisons.ts";
import {
  binomialTail,
  bootstrap,
  calibrationError,
  holm,
  kappa,
  mcnemar,
  mean,
  pairedBootstrap,
  passAll,
} from "./statistics.ts";
import { summarise } from "./summary.ts";

describe("statistics of an evaluation", () => {
  it("McNemar's exact test gives the binomial tail, two-sided", () => {
    // 2 * (1 + 10) / 2^10
    expect(mcnemar(1, 9)).toBeCloseTo(22 / 1024, 10);
    expect(mcnemar(9, 1)).toBeCloseTo(mcnemar(1, 9), 12);
    expect(mcnemar(0, 0)).toBe(1);
    expect(mcnemar(5, 5)).toBe(1);
    expect(mcnemar(0, 6)).toBeCloseTo(2 / 64, 10);
    // Far beyond what a factorial can hold.
    expect(mcnemar(1000, 1100)).toBeGreaterThan(0.02);
    expect(mcnemar(1000, 1100)).toBeLessThan(0.04);
  });

  it("the tail of a binomial distribution is the chance of so many hits or fewer", () => {
    expect(binomialTail(0, 2, 0.9)).toBeCloseTo(0.01, 12);
    expect(binomialTail(1, 2, 0.9)).toBeCloseTo(0.19, 12);
    expect(binomialTail(2, 2, 0.9)).toBe(1);
  });

  it("pass^n is the share of n runs drawn without replacement that are all right", () => {
    expect(passAll(3, 4, 1)).toBeCloseTo(3 / 4);
    expect(passAll(3, 4, 2)).toBeCloseTo(3 / 6);
    expect(passAll(3, 4, 4)).toBe(0);
    expect(passAll(4, 4, 4)).toBe(1);
  });

  it("Holm's adjustment keeps the order, never lowers a p, and stops at 1", () => {
    expect(holm([0.01, 0.04, 0.03])).toEqual([0.03, 0.06, 0.06]);
    expect(holm([0.6, 0.7])).toEqual([1, 1]);
  });

  it("bootstrap intervals hold the true mean about as often as they say", () => {
    let covered = 0;
    for (let seed = 0; seed < 60; seed++) {
      const items = Array.from({ length: 80 }, (_, i) => (((i + 1) * (seed + 3) * 7919) % 101) / 101);
      const [low, high] = bootstrap(items, mean);
      if (low <= 0.5 && 0.5 <= high) covered++;
      expect(low).toBeLessThan(high);
    }
    expect(covered).toBeGreaterThan(45);
    expect(pairedBootstrap([0, 0, 0])).toBe(1);
    expect(pairedBootstrap(Array(40).fill(1).concat(Array(5).fill(-1)))).toBeLessThan(0.01);
    expect(pairedBootstrap([1, -1, 1, -1])).toBeGreaterThan(0.5);
  });

  it("the calibration error is the distance from what was said, weighted by how often it was said [E-calibration]", () => {
    const say = (confidence: number, right: number, wrong: number) => [
      ...Array.from({ length: right }, () => ({ confidence, correct: true })),
      ...Array.from({ length: wrong }, () => ({ confidence, correct: false })),
    ];
    expect(calibrationError(say(0.85, 17, 3))).toBeCloseTo(0);
    expect(calibrationError([...say(0.95, 5, 5), ...say(0.55, 6, 4)])).toBeCloseTo((0.45 + 0.05) / 2);
  });

  it("kappa is 1 for equal verdicts and 0 for what chance gives", () => {
    expect(
      kappa([
        [true, true],
        [false, false],
      ]),
    ).toBe(1);
    expect(
      kappa([
        [true, true],
        [true, false],
        [false, true],
        [false, false],
      ]),
    ).toBe(0);
    expect(kappa([[true, true]])).toBe(1);
  });

  it("a share of nothing is still within 0 and 1", () => {
    expect(wilson(0, 5)[0]).toBe(0);
    expect(wilson(5, 5)[1]).toBeCloseTo(1);
  });
});

describe("the interval of an accuracy", () => {
  const summaryOf = (isRight: (question: number, run: number) => boolean) =>
    summarise(
      Array.from({ length: 12 }, (_, i) => i).flatMap((i) =>
        [1, 2].map(
          (run) =>
            ({
              ...{ question: `q${i}`, method: "single", model: "m", run, correct: isRight(i, run) },
              ...{ confidence: null, agreement: null, leader_right: null, cost_usd: 0, votes: {} },
            }) as unknown as Result,
        ),
      ),
    )[0]!;

  it("has a width where every run was wrong, and counts questions, not runs", () => {
    expect(summaryOf(() => false)).toMatchObject({ accuracy: 0, interval: wilson(0, 12) });
    expect(summaryOf((question) => question < 6).interval).toEqual(wilson(6, 12));
  });

  it("is a bootstrap where a question was right in one run and wrong in another", () => {
    const { accuracy, interval } = summaryOf((question, run) => question < 6 || run === 1);
    expect(accuracy).toBe(0.75);
    expect(interval[0]).toBeGreaterThan(0.5);
    expect(interval[1]).toBeLessThan(1);
  });
});

describe("methods on the same questions [E-paired]", () => {
  const result = (question: number, method: string, correct: boolean, run = 1) =>
    ({ question: `q${question}`, method, model: "m", correct, run }) as Result;

  it("one run of each: exact McNemar on the questions that only one got right", () => {
    const results = Array.from({ length: 40 }, (_, i) => [
      result(i, "single", i < 20),
      result(i, "vote-3", i < 28 && i !== 0),
      result(i, "council", i < 20),
    ]).flat();
    const [vote, council] = compareMethods(results);
    expect(vote).toMatchObject({
      ...{ method: "vote-3", baseline: "single", questions: 40, only_method: 8, only_baseline: 1 },
      test: "exact McNemar",
    });
    expect(vote!.difference).toBeCloseTo(7 / 40);
    expect(vote!.p).toBeCloseTo((2 * (1 + 9)) / 512, 10);
    expect(vote!.p_adjusted).toBeCloseTo(2 * vote!.p, 10);
    expect(vote!.interval[0]).toBeGreaterThan(0);
    expect(council).toMatchObject({ difference: 0, p: 1, p_adjusted: 1 });
  });

  it("repeats: a paired bootstrap over the questions, since runs of one question are not independent", () => {
    const results = Array.from({ length: 30 }, (_, i) =>
      [1, 2, 3].flatMap((run) => [
        result(i, "single", i % 3 === 0, run),
        result(i, "vote-3", i % 3 === 0 || (i % 3 === 1 && run > 1), run),
      ]),
    ).flat();
    const [vote] = compareMethods(results);
    expect(vote!.test).toBe("paired bootstrap");
    expect(vote!.difference).toBeCloseTo(2 / 9);
    expect(vote!.p).toBeLessThan(0.01);
  });
});
