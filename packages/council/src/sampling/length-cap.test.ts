import fc from "fast-check";
import { expect, test } from "vitest";
import { lengthCap } from "./length-cap.ts";

const capAfter = (lengths: readonly number[]) => {
  const cap = lengthCap();
  for (const tokens of lengths) cap.note(tokens);
  return cap.current();
};
const mean = (lengths: readonly number[]) => lengths.reduce((sum, one) => sum + one, 0) / lengths.length;

test.each<[string, readonly number[], number]>([
  ["nothing is known yet", [], 750],
  ["four answers are too few", [20, 20, 20, 20], 750],
  ["five alike are enough, however short", [20, 20, 20, 20, 20], 28],
  ["five nearly alike are enough", [18, 19, 20, 21, 22], 28],
  ["a standard error just under a tenth is near enough", [78, 78, 100, 122, 122], 140],
  ["a little over it is not", [77, 77, 100, 123, 123], 750],
  ["short answers of very different lengths keep the first cap", [5, 80, 12, 40, 9], 750],
  ["one long answer makes the mean unknown again", [20, 20, 20, 20, 20, 60], 750],
  ["many answers make up for their differences", Array.from({ length: 40 }, (_, i) => 10 + 20 * (i % 2)), 28],
  ["answers longer than the first cap are allowed where all are", [900, 900, 900, 900, 900], 1260],
])("[V-length] %s", (_, lengths, cap) => {
  expect(capAfter(lengths)).toBeCloseTo(cap, 6);
});

const length = fc.integer({ min: 1, max: 5000 });

test("[V-length] no answer below 1.4 times the mean is too long, nor one below 750 tokens before the mean is known", () => {
  fc.assert(
    fc.property(fc.array(length, { maxLength: 60 }), (lengths) => {
      const cap = capAfter(lengths);
      if (cap !== 750) expect(cap).toBeCloseTo(1.4 * mean(lengths), 6);
      if (lengths.length < 5) expect(cap).toBe(750);
    }),
  );
});

test("[V-length] among steady answers, whatever their length, one twice as long is too long and one a third longer is not", () => {
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 2000 }), fc.integer({ min: 5, max: 60 }), (tokens, count) => {
      const cap = capAfter(Array.from({ length: count }, () => tokens));
      expect(2 * tokens).toBeGreaterThan(cap);
      expect(Math.floor((4 / 3) * tokens)).toBeLessThan(cap);
    }),
  );
});

test("[V-length] the mean is known exactly when its standard error is within a tenth of it", () => {
  fc.assert(
    fc.property(fc.array(length, { minLength: 5, maxLength: 60 }), (lengths) => {
      const middle = mean(lengths);
      const variance = lengths.reduce((sum, one) => sum + (one - middle) ** 2, 0) / (lengths.length - 1);
      const error = Math.sqrt(variance / lengths.length) / middle;
      fc.pre(Math.abs(error - 0.1) > 1e-9);
      expect(capAfter(lengths)).toBeCloseTo(error < 0.1 ? 1.4 * middle : 750, 6);
    }),
  );
});
