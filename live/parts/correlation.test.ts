import { expect, test } from "vitest";
import { seeded } from "../../packages/council-eval/src/statistics/statistics.ts";
import { correlationBetween, correlationWithin, highestCorrelation } from "./correlation.ts";

const random = seeded(7);
const draw = (p: number) => ({
  votes: 5,
  right: Array.from({ length: 5 }, () => random() < p).filter(Boolean).length,
});
const questions = Array.from({ length: 4000 });

test("samples that are right on the same questions correlate, and samples of unrelated models do not", () => {
  const same = questions.map(() => draw(random() < 0.6 ? 1 : 0));
  expect(correlationWithin(same)).toBeCloseTo(1);
  expect(correlationBetween(same.map((one) => [one, one]))).toBeCloseTo(1);
  const unrelated = questions.map(
    () => [draw(random() < 0.6 ? 1 : 0), draw(random() < 0.6 ? 1 : 0)] as const,
  );
  expect(Math.abs(correlationBetween(unrelated)!)).toBeLessThan(0.05);
  const independent = questions.map(() => draw(0.6));
  expect(Math.abs(correlationWithin(independent)!)).toBeLessThan(0.05);
});

test("a better model beside a worse one does not make their samples look unrelated", () => {
  // Both are right with a chance that the question decides: 0.9 or 0.1 of the weak one, 1 or 0.8 of the strong one.
  const pairs = questions.map(() => {
    const easy = random() < 0.5;
    return [draw(easy ? 0.9 : 0.1), draw(easy ? 1 : 0.8)] as const;
  });
  // By hand: covariance 0.5 * (0.9 * 1 + 0.1 * 0.8) - 0.5 * 0.9 = 0.04, over sqrt(0.25 * 0.09) = 0.15.
  expect(correlationBetween(pairs)!).toBeGreaterThan(0.04 / 0.15 - 0.05);
  expect(correlationBetween(pairs)!).toBeLessThan(0.04 / 0.15 + 0.05);
});

test("a model that is right wherever the other one is, and elsewhere too, has the highest correlation there can be", () => {
  const pairs = questions.map(
    (_, i) =>
      [
        { votes: 1, right: i % 2 },
        { votes: 1, right: i % 10 > 0 ? 1 : 0 },
      ] as const,
  );
  // By hand: 0.5 - 0.5 * 0.9 = 0.05, over sqrt(0.25 * 0.09) = 0.15.
  expect(correlationBetween(pairs)).toBeCloseTo(1 / 3);
  expect(highestCorrelation(pairs)).toBeCloseTo(1 / 3);
});

test("a model that is always right has no correlation", () => {
  const always = questions.map(() => [draw(1), draw(0.5)] as const);
  expect(correlationBetween(always)).toBeUndefined();
  expect(correlationWithin(always.map(([one]) => one))).toBeUndefined();
});
