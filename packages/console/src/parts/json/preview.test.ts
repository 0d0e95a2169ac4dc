import { expect, test } from "vitest";
import { previewOf } from "./preview.ts";

test.each([
  [{ id: 7, text: "row", none: null, on: true }, 'id: 7, text: "row", none: null, on: true'],
  [{ inner: { a: 1 }, list: [1], empty: {}, none: [] }, "inner: {…}, list: […], empty: {}, none: []"],
  [[1, "two", [3]], '1, "two", […]'],
  [[1, 2, 3, 4, 5, 6], "1, 2, 3, 4, 5, …"],
  [{ text: "x".repeat(1_000_000) }, `text: "${"x".repeat(30)}…"`],
  [{ ["k".repeat(1000)]: "a\nb" }, `${"k".repeat(30)}…: "a\\nb"`],
])("the beginning of what is folded is one short line", (value, line) => {
  expect(previewOf(Object.entries(value), Array.isArray(value))).toBe(line);
});
