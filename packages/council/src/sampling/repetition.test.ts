import { expect, test } from "vitest";
import { findRepetition } from "./repetition.ts";

test.each([
  [", 3 + 4 = 7, 3 + 4 = 7, 3 + 4 = 7, 3 + 4 = 7, 3 + 4 = 7, 3 + 4 = 7, 3 + 4 =", ", 3 + 4 = 7"],
  [");*2*2*2*2*2*2*2*2*2*2*2*2", "*2"],
  ["the the the the the the the the", "the"],
  [
    "A cat sat. It is a good idea. It is a good idea. It is a good idea. It is a good idea. It is a good idea. It is a good idea.",
    ". It is a good idea",
  ],
])("[V-repetition] %j is a loop", (text, piece) => expect(findRepetition(text)).toBe(piece));

test.each([
  "1000000000000000000",
  "| a | b |\n| --- | --- | --- | --- | --- | --- | --- |\n| 1 | 2 |",
  "no, no, no, no, no: never",
  `${"The ".padEnd(60, "=")} and more words that say what is meant here, at some length`,
  "",
])("[V-repetition] %j is not", (text) => expect(findRepetition(text)).toBeUndefined());

test("[V-repetition] what the question asks to repeat is not one", () => {
  const text = "ha ha ha ha ha ha ha ha";
  expect(findRepetition(text, "Laugh.")).toBe("ha");
  expect(findRepetition(text, "Write 'Ha' eight times.")).toBeUndefined();
});

test("[V-repetition] takes linear time", () => {
  const started = performance.now();
  findRepetition("ab".repeat(1e6));
  findRepetition(`${"a".repeat(1999)}b`);
  findRepetition(Array.from({ length: 4000 }, (_, i) => String.fromCharCode(97 + ((i * i) % 26))).join(""));
  expect(performance.now() - started).toBeLessThan(2000);
});
