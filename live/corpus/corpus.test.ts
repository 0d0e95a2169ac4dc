import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { readQuestions } from "../../packages/council-eval/src/questions/questions.ts";

const file = (name: string) => new URL(`./${name}.jsonl`, import.meta.url).pathname;

it("the two halves of the questions have every kind, 200 questions at least, and none in common", () => {
  const fit = readQuestions(file("fit"));
  const heldOut = readQuestions(file("held-out"));
  const prompts = [...fit, ...heldOut].map(({ prompt }) => prompt);
  expect(new Set(prompts).size).toBe(prompts.length);
  for (const half of [fit, heldOut]) {
    expect(half.length).toBeGreaterThanOrEqual(200);
    expect([...new Set(half.map(({ kind }) => kind))]).toEqual([
      "arithmetic",
      "capital",
      "choice",
      "classification",
      "extraction",
      "yes-no",
      "units",
    ]);
  }
});

it("the pairs of answers have both meanings, 500 that differ, and none twice", () => {
  const pairs = readFileSync(file("answer-pairs"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { question: string; a: string; b: string; same: boolean });
  expect(pairs.filter(({ same }) => same).length).toBeGreaterThan(200);
  expect(pairs.filter(({ same }) => !same).length).toBeGreaterThanOrEqual(500);
  const keys = pairs.map(({ question, a, b }) => JSON.stringify([question, ...[a, b].toSorted()]));
  expect(new Set(keys).size).toBe(keys.length);
});
