import { expect, test } from "vitest";
import { looksLikeMarkdown, parseCsv } from "./text-kinds.ts";

test.each<[string, readonly Record<string, string>[] | undefined]>([
  [
    "a,b\n1,2\n3,4\n",
    [
      { a: "1", b: "2" },
      { a: "3", b: "4" },
    ],
  ],
  ['a;b\r\n"x;y";"say ""hi"""', [{ a: "x;y", b: 'say "hi"' }]],
  ["a\tb\n1\t", [{ a: "1", b: "" }]],
  ["Well, this is prose.\nIt has commas, too.", undefined],
  ["a,b\n1,2,3", undefined],
  ["one line", undefined],
])("[UI-content] %j is a table or not", (text, rows) => {
  expect(parseCsv(text)).toEqual(rows);
});

test.each([
  ["# Title\n\ntext", true],
  ["| a | b |\n|---|---|\n| 1 | 2 |", true],
  ["#no heading", false],
  ["plain text - with a dash", false],
])("[UI-content] %j is Markdown: %s", (text, is) => {
  expect(looksLikeMarkdown(text)).toBe(is);
});
