import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { findChoices } from "./choices.ts";
import { route } from "./router.ts";

type Question = readonly [language: string, tool: string, choices: readonly string[], prompt: string];
const data: { tuning: Question[]; heldOut: Question[] } = JSON.parse(
  readFileSync(new URL("../../test/data/questions.json", import.meta.url), "utf8"),
);
const all = [...data.tuning, ...data.heldOut];
const LANGUAGES = ["en", "pt", "es", "de", "fr", "ja", "zh"];

test("[R-languages] at least 300 questions are labelled, at least 25 in each of seven languages", () => {
  expect(all.length).toBeGreaterThanOrEqual(300);
  for (const name of LANGUAGES)
    expect(all.filter(([language]) => language === name).length, name).toBeGreaterThanOrEqual(25);
});

describe.each(["tuning", "heldOut"] as const)("[R-languages] of the %s questions", (part) => {
  test.each(LANGUAGES)("at least 95 %% are routed right in %s", (name) => {
    const questions = data[part].filter(([language]) => language === name);
    const wrong = questions.filter(([, tool, , prompt]) => route({ prompt }).tool !== tool);
    expect(1 - wrong.length / questions.length, JSON.stringify(wrong)).toBeGreaterThanOrEqual(0.95);
  });

  test("every plan goes to decomposition", () => {
    const plans = data[part].filter(([, tool]) => tool === "decompose_task");
    expect(plans.filter(([, tool, , prompt]) => route({ prompt }).tool !== tool)).toEqual([]);
  });
});

describe("[B-choices] on the labelled questions", () => {
  test("nothing is offered where the question offers nothing", () => {
    const invented = all.filter(
      ([, , choices, prompt]) => choices.length === 0 && findChoices(prompt).length > 0,
    );
    expect(invented.map(([, , , prompt]) => [prompt, findChoices(prompt)])).toEqual([]);
  });

  test("no option is cut in the wrong place; at least 90 % of the offers are found", () => {
    const offers = all.filter(([, , choices]) => choices.length > 0);
    const found = offers.filter(([, , , prompt]) => findChoices(prompt).length > 0);
    expect(
      found
        .filter(([, , choices, prompt]) => JSON.stringify(findChoices(prompt)) !== JSON.stringify(choices))
        .map(([, , choices, prompt]) => [prompt, findChoices(prompt), choices]),
    ).toEqual([]);
    expect(found.length / offers.length).toBeGreaterThanOrEqual(0.9);
  });
});
