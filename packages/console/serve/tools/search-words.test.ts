import { expect, test } from "vitest";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import { matchesText } from "./calls/match-text.ts";
import { searchWords } from "./search-words.ts";

test("a search is for each word once, in any case and order", () => {
  expect(searchWords(" Get  the\nget user ")).toEqual(["get", "the", "user"]);
  expect(matchesText("USER get", ['{"name":"get_user"}'])).toBe(true);
  expect(matchesText("user delete", ['{"name":"get_user"}'])).toBe(false);
});

test("a search of as many words as an address can have looks for few of them, so that others are answered meanwhile", () => {
  const words = Array.from({ length: 4000 }, (_, index) => index.toString(36)).join(" ");
  expect(searchWords(words)).toHaveLength(20);
  expect(searchWords("x".repeat(16_000))).toEqual(["x".repeat(1000)]);
  const text = `${"-".repeat(1_000_000)} ${words}`;
  withinCpuMs(100, () => expect(matchesText(words, [text])).toBe(true));
});
