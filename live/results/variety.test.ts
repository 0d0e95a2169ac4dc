/** Ways to vary the samples of a vote, by the rule in README.md: what docs/council/live-model.md says of them. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { measureDependence } from "../../packages/council/src/voting/dependence.ts";
import { mcnemar } from "../../packages/council-eval/src/statistics/statistics.ts";

interface Line {
  readonly way: string;
  readonly question: string;
  readonly votes: number;
  readonly leader_votes: number;
  readonly right_votes: number;
  readonly right: boolean;
  readonly single_right: boolean;
}

const read = (url: URL) => readFileSync(url, "utf8").trim().split("\n");
const file = new URL("./variety/SmolLM2-135M-Instruct.Q4_1.jsonl", import.meta.url);
const byWay = Map.groupBy(
  read(file).map((line) => JSON.parse(line) as Line),
  ({ way }) => way,
);
const DEFAULT = byWay.get("wording and order (the default)")!;
const whole = [...byWay].filter(([, { length }]) => length === 64);

test("the ways that count have the same 64 questions, none of them from an earlier measurement", () => {
  const earlier = read(new URL("../corpus/fit.jsonl", import.meta.url))
    .filter((_, i) => i % 7 === 0)
    .map((line) => (JSON.parse(line) as { id: string }).id);
  const questions = new Set(DEFAULT.map(({ question }) => question));
  expect(questions.size).toBe(64);
  expect(earlier.filter((id) => questions.has(id))).toEqual([]);
  for (const [, lines] of whole) expect(new Set(lines.map(({ question }) => question))).toEqual(questions);
  expect(whole.length).toBe(7);
});

test.each([
  ["wording and order (the default)", 35, 0.66, 27, 22],
  ["temperature 0.1", 37, 0.87, 44, 32],
  ["wording, order and role", 35, 0.7, 27, 22],
  ["wording", 35, 0.66, 27, 22],
  ["role", 36, 0.79, 39, 28],
  ["order of the options", 36, 0.85, 44, 31],
  ["temperature 0.7", 34, 0.51, 14, 13],
])("%s: right, dependence, unanimous, of these right", (way, right, dependence, unanimous, ofThese) => {
  const lines = byWay.get(way)!;
  const agreed = lines.filter(({ votes, leader_votes }) => votes === leader_votes);
  expect(lines.filter((one) => one.right).length).toBe(right);
  expect(lines.filter((one) => one.single_right).length).toBe(36);
  expect([agreed.length, agreed.filter((one) => one.right).length]).toEqual([unanimous, ofThese]);
  const graded = lines.map(({ votes, right_votes }) => ({ votes, right: right_votes }));
  expect(measureDependence(graded).dependence).toBeCloseTo(dependence, 2);
});

test("no way is better than the default: it stays", () => {
  const isRight = new Map(DEFAULT.map(({ question, right }) => [question, right]));
  for (const [way, lines] of whole.slice(1)) {
    const only = (it: boolean) =>
      lines.filter(({ question, right }) => right === it && isRight.get(question) !== it).length;
    expect(mcnemar(only(true), only(false)), way).toBeGreaterThan(0.7);
  }
});
