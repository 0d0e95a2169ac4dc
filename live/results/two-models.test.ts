/** Whether two models are right on the same questions, from their votes with the earlier prompt: what docs/council/live-model-larger.md says of it. */
import { expect, test } from "vitest";
import { correlationBetween, highestCorrelation, intervalOf, type SamplePair } from "../parts/correlation.ts";
import { type PublishedVote, readVotes } from "./votes.ts";

const votesOf = (model: string) =>
  new Map(
    readVotes(new URL(`./earlier/${model}.jsonl`, import.meta.url)).map((vote) => [vote.question, vote]),
  );
const small = votesOf("SmolLM2-135M-Instruct.Q4_1");
const large = votesOf("Qwen2.5-Coder-1.5B-Instruct.Q4_K_M");
const both = [...large.values()].flatMap((vote): [PublishedVote, PublishedVote][] => {
  const other = small.get(vote.question);
  return other === undefined ? [] : [[other, vote]];
});

test("the larger model is right wherever the smaller one is: a vote of both would correct none of its mistakes", () => {
  const count = (one: boolean, other: boolean) =>
    both.filter(([a, b]) => a.right === one && b.right === other).length;
  expect([count(true, true), count(false, true), count(true, false), count(false, false)]).toEqual([
    45, 61, 0, 6,
  ]);
  // One call at temperature 0, where both were asked.
  const singles = both.flatMap(([a, b]) =>
    a.single_right === undefined || b.single_right === undefined ? [] : [[a.single_right, b.single_right]],
  );
  expect(singles.length).toBe(56);
  expect(singles.filter(([a, b]) => a && !b)).toEqual([]);
});

test("the correlation is nearly the highest that models of such different strength can have", () => {
  const pairs = both.map((votes) =>
    votes.map((vote) => ({ votes: vote.votes, right: vote.right_votes ?? 0 })),
  ) as unknown as SamplePair[];
  const interval = intervalOf(pairs, correlationBetween);
  expect(correlationBetween(pairs)).toBeCloseTo(0.18, 2);
  expect(highestCorrelation(pairs)).toBeCloseTo(0.2, 2);
  expect(interval[0]).toBeCloseTo(0.08, 2);
  expect(interval[1]).toBeCloseTo(0.26, 2);
});
