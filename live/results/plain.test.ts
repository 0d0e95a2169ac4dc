/** Votes against bare calls, question by question: what docs/council/live-model.md says of it. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { mcnemar } from "../../packages/council-eval/src/statistics/statistics.ts";
import { readVotes } from "./votes.ts";

const MODEL = "SmolLM2-135M-Instruct.Q4_1";
const file = (name: string) => new URL(`./${name}.jsonl`, import.meta.url);
const plain = new Map(
  readFileSync(file(`plain/${MODEL}`), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { question: string; plain_right: boolean })
    .map(({ question, plain_right }) => [question, plain_right]),
);
const heldOut = readVotes(file(MODEL)).filter(({ half }) => half === "held-out");

test("a vote is right on more held-out questions than a bare call", () => {
  expect(plain.size).toBe(224);
  expect(heldOut.every(({ question }) => plain.has(question))).toBe(true);
  const count = (vote: boolean, bare: boolean) =>
    heldOut.filter(({ question, vote_right }) => vote_right === vote && plain.get(question) === bare).length;
  expect([count(true, true), count(true, false), count(false, true), count(false, false)]).toEqual([
    42, 85, 8, 89,
  ]);
  expect(mcnemar(count(true, false), count(false, true))).toBeLessThan(1e-6);
});

test("and worse in no kind of question, sums and capitals included", () => {
  const ofKind = Object.groupBy(heldOut, ({ question }) => question.replace(/-\d+$/, ""));
  const right = Object.entries(ofKind).map(([kind, votes = []]) => {
    const only = (vote: boolean) =>
      votes.filter((one) => one.vote_right === vote && plain.get(one.question) === !vote).length;
    expect(only(true) >= only(false) || mcnemar(only(true), only(false)) > 0.05, kind).toBe(true);
    return [
      kind,
      votes.filter(({ vote_right }) => vote_right).length,
      votes.filter(({ question }) => plain.get(question)).length,
    ];
  });
  expect(right).toEqual(
    expect.arrayContaining([
      ["arithmetic", 21, 10],
      ["capital", 24, 23],
    ]),
  );
});
