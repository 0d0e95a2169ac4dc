import { expect, test } from "vitest";
import type { Output } from "../command.ts";
import { escapeControls, oneLine, toJson } from "./escape-controls.ts";
import { codeFrame } from "./problems.ts";
import { style } from "./style.ts";
import { table, tabSeparated } from "./table.ts";
import { truncate, width } from "./width.ts";

const plain = { isTTY: false, colour: false, columns: 80 } as Output;
const terminal = (columns: number) => ({ isTTY: true, colour: false, columns }) as Output;

test.each([
  ["abc", 3],
  ["é", 1],
  ["e\u0301", 1],
  ["日本", 4],
  ["한글", 4],
  ["ｱ", 1],
  ["Ａ", 2],
  ["👍", 2],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["\u200b", 0],
  ["→…", 2],
])("%j is %i columns wide", (text, expected) => {
  expect(width(text)).toBe(expected);
});

test.each([
  ["abcdef", 4, "abc…"],
  ["abcd", 4, "abcd"],
  ["日本語", 4, "日…"],
  ["👩‍👩‍👧👩‍👩‍👧", 3, "👩‍👩‍👧…"],
])("%j cut to %i columns is %j", (text, most, expected) => {
  expect(truncate(text, most)).toBe(expected);
});

test("columns line up, wide characters too", () => {
  expect(
    table(
      ["Name", "What"],
      [
        ["日本", "x"],
        ["abcdef", "y"],
      ],
      plain,
    ),
  ).toBe("Name    What\n日本    x\nabcdef  y\n");
});

test("on a terminal a table is no wider than the terminal, and the widest column gives way", () => {
  const text = table(["Name", "Description"], [["tool", "word ".repeat(100)]], terminal(40));
  expect(Math.max(...text.split("\n").map(width))).toBeLessThanOrEqual(40);
  expect(text).toContain("tool");
  expect(text).toContain("…");
});

test("elsewhere nothing is cut", () => {
  expect(table(["A"], [["x".repeat(500)]], plain)).toContain("x".repeat(500));
});

test("[C-markup] brackets and other markup are shown as they are", () => {
  expect(table(["D"], [["use [bold] or [x] *y* `z`"]], plain)).toContain("use [bold] or [x] *y* `z`");
});

test("[C-controls] control and bidi characters of untrusted text are escaped, not obeyed", () => {
  expect(escapeControls("a\x1b[31mred\x07\x9b2J\u202e")).toBe("a\\x1b[31mred\\x07\\x9b2J\\u202e");
  expect(escapeControls("a\tb\nc\r\nd")).toBe("a\tb\nc\r\nd");
  expect(oneLine("  a\n b\r\n\tc ")).toBe("a b c");
  expect(tabSeparated([["a\tb", "c\nd"]])).toBe("a b\tc d\n");
});

test("colours are used only where the output shows them", () => {
  expect(style({ colour: false }, "red", "x")).toBe("x");
  expect(style({ colour: true }, "red", "x")).toBe("\x1b[31mx\x1b[39m");
});

test("a code frame points at the column, across tabs and wide characters", () => {
  expect(codeFrame("one\n\t日本 here\nthree", 2, 5, plain)).toBe(
    "  1 | one\n> 2 |  日本 here\n    |       ^\n  3 | three\n",
  );
});

test("a code frame of one endless line shows the part around the place", () => {
  const frame = codeFrame(`${"x".repeat(50_000)}HERE${"y".repeat(50_000)}`, 1, 50_001, plain);
  const [line = "", caret = ""] = frame.split("\n");
  expect(line.length).toBeLessThan(130);
  expect(line.slice(caret.indexOf("^")).startsWith("HERE")).toBe(true);
});

test("a place that is not in the source gives no frame", () => {
  expect(codeFrame("a", 5, 1, plain)).toBe("");
});

test("[C-controls] JSON holds no raw control or bidi characters, and means the same", () => {
  const value = { text: "\x1b[2J\x7f\x9b\u202eabc\u2066é日" };
  const text = toJson(value);
  for (const char of ["\x1b", "\x7f", "\x9b", "\u202e", "\u2066"]) expect(text).not.toContain(char);
  expect(text).toContain("é日");
  expect(JSON.parse(text)).toEqual(value);
});
