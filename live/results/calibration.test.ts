/**
 * The stated confidence of votes of real models, on questions that it was neither fitted to nor chosen with: README.md has the rule,
 * which is older than the outcomes. Each file is named after the model.
 */
import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createCalibration } from "../../packages/council/src/voting/calibration.ts";
import { chanceRight } from "../../packages/council/src/voting/statistics.ts";
import {
  binomialTail,
  calibrationError,
  mcnemar,
  mean,
} from "../../packages/council-eval/src/statistics/statistics.ts";
import { readVotes } from "./votes.ts";

const files = readdirSync(new URL(".", import.meta.url)).filter((name) => name.endsWith(".jsonl"));
const votesIn = (file: string) => readVotes(new URL(`./${file}`, import.meta.url));
const models = files.filter((file) => !file.startsWith("seen-"));

describe.each(models)("[V-calibrated] votes in %s", (file) => {
  const votes = votesIn(file);
  const seen = new Set(
    files.includes(`seen-${file}`) ? votesIn(`seen-${file}`).map(({ question }) => question) : [],
  );
  const calibration = createCalibration(votes.filter(({ half }) => half === "fit"));
  const heldOut = votes.filter(({ half }) => half === "held-out");
  const stated = heldOut
    .filter(({ question }) => !seen.has(question))
    .map(({ model, strategy, kind, leader_votes, votes, right }) => ({
      ...calibration.measured({ model, strategy, kind })!.confidence(leader_votes, votes),
      agreement: leader_votes / votes,
      right,
    }));
  const right = mean(stated.map((one) => Number(one.right)));

  test("the share that was right lies in the stated interval", () => {
    expect(right).toBeGreaterThan(mean(stated.map(({ interval }) => interval[0])));
    expect(right).toBeLessThan(mean(stated.map(({ interval }) => interval[1])));
  });

  test("the expected calibration error is below 0.1", () => {
    expect(
      calibrationError(stated.map(({ value, right: correct }) => ({ confidence: value, correct }))),
    ).toBeLessThan(0.1);
  });

  test("1 / (1 + r^k) of the agreement is refuted: votes that repeat each other are not independent", () => {
    const chance = chanceRight(mean(stated.map((one) => one.agreement)), 3);
    const rightOnes = stated.filter((one) => one.right).length;
    expect(binomialTail(rightOnes, stated.length, chance)).toBeLessThan(0.025);
  });

  test("a vote is not worse than one call at temperature 0 on the held-out questions", () => {
    const only = (one: "vote_right" | "single_right", other: "vote_right" | "single_right") =>
      heldOut.filter((vote) => vote[one] === true && vote[other] === false).length;
    const [vote, single] = [only("vote_right", "single_right"), only("single_right", "vote_right")];
    expect(vote >= single || mcnemar(vote, single) > 0.05).toBe(true);
  });

  test("more agreement never means less confidence, also where most votes are wrong", () => {
    const [{ model, strategy }] = votes as [(typeof votes)[number]];
    const { confidence } = calibration.measured({ model, strategy })!;
    expect(confidence(3, 3).value).toBeGreaterThan(confidence(4, 5).value);
    expect(confidence(5, 7).value).toBeGreaterThan(confidence(4, 7).value);
  });
});
