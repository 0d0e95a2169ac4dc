import type { Outcome } from "@mci-ts/council";
import { expect, it } from "vitest";
import { describeDependence } from "../report/table.ts";
import { dependencesOf } from "./dependence.ts";

/** Votes of which so many of three are right, question by question. */
const votes = (right: readonly number[], more: Partial<Outcome> = {}): readonly Outcome[] =>
  right.map((count) => ({
    ...{ model: "m", strategy: "vote, options and wording", kind: "text", votes: 3 },
    ...{ leader_votes: Math.max(count, 3 - count), right_votes: count, right: count > 1, ...more },
  }));
const repeated = (pattern: readonly number[]) =>
  Array.from({ length: 40 }, (_, i) => pattern[i % pattern.length]!);

it("votes that repeat each other are told from independent ones, with what to do", () => {
  const [same] = dependencesOf(votes(repeated([3, 3, 3, 0])));
  expect(same!.dependence).toBeGreaterThan(0.85);
  expect(same!.three_votes_are_worth).toBeLessThan(1.2);
  expect(describeDependence(same!)).toMatch(/samples repeat each other .* Use another model or a panel/);

  const [independent] = dependencesOf(votes(repeated([3, 2, 2, 3, 1, 2, 2, 3])));
  expect(independent).toMatchObject({ questions: 40, advice: null });
  expect(independent!.three_votes_are_worth).toBeGreaterThan(2);

  const [wrong] = dependencesOf(votes(repeated([1, 0, 2, 1])));
  expect(wrong!.advice).toContain("one vote is right in only");
});

it("says nothing of few questions, single votes, councils, and votes whose right answer is not known", () => {
  const all = repeated([3, 0]);
  expect(dependencesOf(votes(all.slice(0, 19)))).toEqual([]);
  expect(dependencesOf(votes(all, { votes: 1, leader_votes: 1, right_votes: 1 }))).toEqual([]);
  expect(dependencesOf(votes(all, { strategy: "council" }))).toEqual([]);
  expect(dependencesOf(votes(all, { right_votes: null }))).toEqual([]);
});
