import { expect, test } from "vitest";
import { readPage } from "./markdown.ts";

const { text } = readPage("docs/migrating-from-mci-py.md");
const differences = text.split(/^## The file$/m)[1]!;
const rows = differences.split("\n").filter((line) => line.startsWith("| ") && !line.startsWith("| |"));

test("every difference has an anchor of its own, and says what to do", () => {
  const parsed = rows.map((row) => /^\| <a id="([a-z0-9-]+)"><\/a>(.+)$/.exec(row));
  expect(rows.filter((_, index) => parsed[index] === null)).toEqual([]);
  const ids = parsed.map((match) => match![1]!);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  // Cells are separated by bars that are not escaped.
  expect(rows.filter((row) => row.split(/(?<!\\)\|/).length !== 6)).toEqual([]);
});
