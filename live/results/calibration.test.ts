/**
 * The stated confidence of votes of real models, on questions that it was not fitted to. The outcomes beside this file are those of votes
 * with `npm run live`, one line for each question, in a file with the name of the model: nine tenths are fitted, the last tenth is stated.
 */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCalibration, type Outcome } from "../../packages/council/src/voting/calibration.ts";
import { chanceRight } from "../../packages/council/src/voting/statistics.ts";
import { calibrationError, mean } from "../../packages/council-eval/src/statistics.ts";

const FOLDS = 10;
const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".jsonl"));

describe.each(files)("[V-calibrated] votes in %s", (file) => {
  const outcomes = readFileSync(new URL(`./${file}`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Outcome);
  const stated = Array.from({ length: FOLDS }, (_, fold) => {
    const calibration = createCalibration(outcomes.filter((_, i) => i % FOLDS !== fold));
    return outcomes
      .filter((_, i) => i % FOLDS === fold)
      .map(({ model, strategy, leader_votes, votes, right }) => ({
        ...calibration.measured({ model, strategy })!.confidence(leader_votes, votes),
        right,
      }));
  }).flat();
  const right = mean(stated.map((one) => Number(one.right)));
  const standardError = Math.sqrt((right * (1 - right)) / stated.length);

  test("the share that was right lies in the stated interval, and the calibration error is below 0.1", () => {
    expect(right).toBeGreaterThan(mean(stated.map(({ interval }) => interval[0])));
    expect(right).toBeLessThan(mean(stated.map(({ interval }) => interval[1])));
    const graded = stated.map(({ value, right: correct }) => ({ confidence: value, correct }));
    expect(calibrationError(graded)).toBeLessThan(0.1);
  });

  test("1 / (1 + r^k) of the agreement lies far outside: votes that repeat each other are not independent", () => {
    const agreement = mean(outcomes.map(({ leader_votes, votes }) => leader_votes / votes));
    expect(chanceRight(agreement, 3) - right).toBeGreaterThan(5 * standardError);
  });

  test("more agreement never means less confidence, also where most votes are wrong", () => {
    const [{ model, strategy }] = outcomes as [Outcome];
    const { confidence } = createCalibration(outcomes).measured({ model, strategy })!;
    expect(confidence(3, 3).value).toBeGreaterThan(confidence(4, 5).value);
    expect(confidence(5, 7).value).toBeGreaterThan(confidence(4, 7).value);
  });
});
