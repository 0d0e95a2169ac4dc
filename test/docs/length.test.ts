import { expect, test } from "vitest";
import { readPages } from "./markdown.ts";

/** About twelve minutes of reading. A longer page is divided by topic. */
const MAX_WORDS = 3000;

/** The changelog is searched rather than read. */
const pages = readPages().filter(({ path }) => path !== "CHANGELOG.md");

test("no page that is read from top to bottom has more than 3,000 words", () => {
  const counts = pages.map(({ path, text }) => ({ path, words: text.split(/\s+/).length }));
  expect(counts.length).toBeGreaterThan(40);
  expect(counts.filter(({ words }) => words > MAX_WORDS)).toEqual([]);
});
