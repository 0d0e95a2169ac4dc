import { expect, test } from "vitest";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import { decisionOf } from "./countable.ts";
import type { Judgement } from "./judge.ts";

const decide = (decision: string, answers: readonly string[]) =>
  decisionOf(
    { verdict: { answer: "", decision }, model: "judge" } as Judgement,
    { choices: [] },
    answers,
    "?",
  );

test("[V-hostile] a decision of as many sentences as an answer has letters is read in linear time", () => {
  const long = "x".repeat(30_000);
  const decided = withinCpuMs(500, () => decide(`${"a. ".repeat(30_000)}It is ${long}.`, [long, "y"]));
  expect(decided).toEqual({ answer: long });
});
