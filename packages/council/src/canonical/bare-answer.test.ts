import { describe, expect, test } from "vitest";
import { findChoices } from "../routing/choices.ts";
import { bareAnswer } from "./bare-answer.ts";
import { canonical } from "./canonical.ts";

const PLANET = "Which planet is closest to the Sun? A) Venus B) Mercury C) Mars";
const CAPITAL = "What is the capital of France?";

describe("[B-bare] what an answer repeats of its question does not count", () => {
  test.each([
    [CAPITAL, "The capital of France is Paris.", "Paris"],
    [CAPITAL, "Paris is the capital of France", "Paris"],
    [CAPITAL, "It's Paris.", "Paris"],
    ["What is 17 + 25?", "17 + 25 = 42", "42"],
    ["What is 17 + 25?", "17+25 equals 42.", "42"],
    ["What is 17 + 25? Answer with the number only.", "17 + 25 = 42", "42"],
    ["What is 12 times 12?", "12 × 12 = 144", "144"],
    ["What is 16 divided by 2? Please answer with a number.", "16 / 2 = 8", "8"],
    [`${CAPITAL} Answer in one word.`, "The capital of France is Paris.", "Paris"],
    ["Is ice hot? Answer yes or no.", "No, it is not.", "No"],
    [PLANET, "B", "Mercury"],
    [PLANET, "(b)", "Mercury"],
    [PLANET, "Option B", "Mercury"],
    [PLANET, "[B]", "Mercury"],
    [PLANET, "B - Mercury", "Mercury"],
    [PLANET, "Mercury (B)", "Mercury"],
    [PLANET, "Mercury (option B).", "Mercury"],
    [PLANET, "Answer: B. Because it is the closest planet.", "Mercury"],
    [PLANET, "B because it is the closest", "Mercury"],
    [PLANET, "B) Mercury, because it is the closest.", "Mercury"],
    [PLANET, "La respuesta es B, porque está más cerca", "Mercury"],
    [PLANET, "<answer>B</answer>", "Mercury"],
    [PLANET, "B) mercury", "Mercury"],
    ["Is the Earth round?", "Yes, the Earth is round.", "Yes"],
    ["Is ice hot?", "No, it is not.", "No"],
    ["Is ice hot? Yes or no?", "No, it is not.", "No"],
    [CAPITAL, "France's capital is Paris.", "Paris"],
    ["What is 12 * 12?", "12 * 12 = **144**", "144"],
    [PLANET, "**B) Mercury**", "Mercury"],
    [`${PLANET}. Answer with the letter only.`, "C", "Mars"],
    ["Which grade is better? A) B B) A", "A) B", "B"],
    ["Is ice hot?", "No, ice is cold.", "No"],
    ["What is 2 + 3 * 4?", "2 + 3 * 4 = 14", "14"],
    ["Compute 17 + 25.", "17 + 25 = 42", "42"],
  ])("%s %j", (question, answer, bare) => {
    expect(bareAnswer(answer, question)).toBe(bare);
    expect(canonical(answer, question).key).toBe(canonical(bare).key);
  });

  test.each([
    [CAPITAL, "It is not Paris"],
    [CAPITAL, "The capital of Spain is Madrid"],
    ["What is 17 + 25?", "18 + 25 = 43"],
    [PLANET, "B) Venus"],
    [PLANET, "Venus (B)"],
    [PLANET, "B - Venus"],
    [PLANET, "Not B, because it is hot"],
    [PLANET, "A or B, because both are close"],
    [PLANET, "Because B is hot"],
    [PLANET, "D"],
    ["Is it safe?", "Yes, but only on Linux."],
    ["Is it safe?", "No, unless you encrypt it"],
    ["Why is it red?", "Yes, it is"],
    ["Which vitamin is it?", "B"],
    ["Is the Earth round?", "No, it is round."],
    ["Is the Earth round?", "No, the Earth is round."],
    ["Is the Earth round?", "Yes, it isn't."],
    ["Is the Earth round?", "Yes, no."],
    ["What is 2 + 3 * 4?", "2 + 3 = 5"],
    ["What is 12 + 3?", "2 + 3 = 5"],
    ["What is 1.5 * 2?", "5 * 2 = 10"],
    ["Which grade is better? A) B B) A", "A"],
    ["Which grade is better? A) B B) A", "A) A"],
    ["Which language? A) C B) C#", "B) C"],
    ["Which is larger, P(A) or P(B) ?", "A"],
  ])("%s %j stays as it is", (question, answer) => {
    expect(bareAnswer(answer, question)).toBe(answer);
  });
});

test("[B-choices] lettered options in one line are choices; what was cut in the wrong place is not", () => {
  expect(findChoices("Which of these is a fruit? A) carrot B) potato C) apple D) onion")).toEqual([
    "carrot",
    "potato",
    "apple",
    "onion",
  ]);
  expect(findChoices("Which database fits? A: PostgreSQL B: MySQL")).toEqual(["PostgreSQL", "MySQL"]);
  for (const cut of [
    "Is English written from left to right or from right to left?",
    'Is the plural of "mouse" (the animal) mice or mouses?',
  ])
    expect(findChoices(cut)).toEqual([]);
});

test("[B-bare] a bare number has the unit that the question counts in", () => {
  const keyTo = (question: string, answer: string) => canonical(answer, question).key;
  const LENGTH = "How many metres are in 2 km?";
  const keys = ["2000", "2,000 m", "2000 metres", "two thousand meters", "2 km"].map((one) =>
    keyTo(LENGTH, one),
  );
  expect(new Set(keys).size).toBe(1);
  expect(keyTo(LENGTH, "2000 cm")).not.toBe(keys[0]);
  expect(keyTo("How many minutes does it take?", "5")).not.toBe(
    keyTo("How many minutes does it take?", "5 s"),
  );
  // What is not a unit stays a number, and so does what was not asked for in one.
  expect(keyTo("How many legs has a spider?", "8")).toBe(canonical("8").key);
  expect(keyTo("What is 4 + 4?", "8")).not.toBe(keyTo("What is 4 + 4?", "8 m"));
});
