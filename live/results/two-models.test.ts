/** Whether two models are right on the same questions, from their published votes: what docs/council/live-model-larger.md says of it. */
import { expect, test } from "vitest";
import { correlationBetween, highestCorrelation, intervalOf, type SamplePair } from "../parts/correlation.ts";
import { type PublishedVote, readVotes } from "./votes.ts";

const votesOf = (model: string) =>
  new Map(readVotes(new URL(`./${model}.jsonl`, import.meta.url)).map((vote) => [vote.question, vote]));
const small = votesOf("SmolLM2-135M-Instruct.Q4_1");
const large = votesOf("Qwen2.5-Coder-1.5B-Instruct.Q4_K_M");
const both = [...large.values()].flatMap((vote): [PublishedVote, PublishedVote][] => {
  const other = small.get(vote.question);
  return other === undefined ? [] : [[other, vote]];
});

test("the larger model is right nearly wherever the smaller one is: a vote of both could correct two of its nine mistakes", () => {
  const count = (one: boolean, other: boolean) =>
    both.filter(([a, b]) => a.right === one && b.right === other).length;
  expect([count(true, true), count(false, true), count(true, false), count(false, false)]).toEqual([
    130, 85, 2, 7,
  ]);
  // One call at temperature 0, where both were asked.
  const singles = both.flatMap(([a, b]) =>
    a.single_right === undefined || b.single_right === undefined ? [] : [[a.single_right, b.single_right]],
  );
  expect(singles.length).toBe(168);
  expect(singles.filter(([a, b]) => a && !b).length).toBe(1);
});

test("the correlation is most of the highest that models of such different strength can have", () => {
  const pairs = both.map((votes) =>
    votes.map((vote) => ({ votes: vote.votes, right: vote.right_votes ?? 0 })),
  ) as unknown as SamplePair[];
  const interval = intervalOf(pairs, correlationBetween);
  expect(correlationBetween(pairs)).toBeCloseTo(0.147, 3);
  expect(highestCorrelation(pairs)).toBeCloseTo(0.229, 3);
  expect(interval[0]).toBeCloseTo(0.06, 2);
  expect(interval[1]).toBeCloseTo(0.22, 2);
});
