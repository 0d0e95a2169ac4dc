import { describe, expect, test } from "vitest";
import type { JsonPath } from "../../template-api.ts";
import { parseSource } from "./parse.ts";
import { positionsOf } from "./positions.ts";

const locate = async (
  format: "json" | "yaml",
  text: string,
  place: JsonPath,
  options?: { offset?: number; atKey?: boolean },
) => {
  const parsed = await parseSource({ file: "x", path: "/x", format, text });
  const position = (await parsed.locator())(place, options);
  return position && `${position.line}:${position.column}`;
};

test.each([
  { text: "a\nbc", offset: 3, at: { line: 2, column: 2 } },
  { text: "a\r\nbc", offset: 4, at: { line: 2, column: 2 } },
  { text: "a\rbc", offset: 3, at: { line: 2, column: 2 } },
  { text: "", offset: 0, at: { line: 1, column: 1 } },
])("offset $offset is $at", ({ text, offset, at }) => {
  expect(positionsOf(text)(offset)).toEqual(at);
});

describe("[F-wrong] JSON", () => {
  const text = '{\n  "tools": [\n    { "name": "x",\n      "execution": { "a": 1, "a": 2 } }\n  ]\n}';

  test.each<{ place: JsonPath; at: string; atKey?: boolean }>([
    { place: [], at: "1:1" },
    { place: ["tools"], at: "2:12" },
    { place: ["tools"], at: "2:3", atKey: true },
    { place: ["tools", 0], at: "3:5" },
    { place: ["tools", 0, "name"], at: "3:15" },
    { place: ["tools", 0, "missing"], at: "3:5" },
    { place: ["tools", 0, "missing", "deeper"], at: "3:5" },
    { place: ["tools", 7, "name"], at: "2:12" },
    { place: ["tools", 0, "execution", "a"], at: "4:35" },
    { place: ["tools", 0, "execution", "a"], at: "4:30", atKey: true },
    { place: ["nothing"], at: "1:1" },
  ])("$place is at $at", async ({ place, at, atKey }) => {
    expect(await locate("json", text, place, { atKey })).toBe(at);
  });

  test.each([
    { raw: '"hello {{ x"', value: "hello {{ x", find: "{{" },
    { raw: String.raw`"line one\nline {{ x"`, value: "line one\nline {{ x", find: "{{" },
    { raw: String.raw`"\u00e9\"\\ {{ x"`, value: 'é"\\ {{ x', find: "{{" },
    { raw: String.raw`"\ud83d\ude00 {{ x"`, value: "😀 {{ x", find: "{{" },
    { raw: '"😀 {{ x"', value: "😀 {{ x", find: "{{" },
  ])("an offset inside $raw is found through its escapes", async ({ raw, value, find }) => {
    expect(JSON.parse(raw)).toBe(value);
    const text = `{\n  "text": ${raw}\n}`;
    expect(await locate("json", text, ["text"], { offset: value.indexOf(find) })).toBe(
      `2:${11 + raw.indexOf(find)}`,
    );
  });
});

describe("[F-wrong] YAML", () => {
  const text = [
    "base: &base",
    "  type: text",
    "tools:",
    "  - name: x",
    "    execution:",
    "      <<: *base",
    "      text: hi",
    "    empty:",
    "  - *base",
    "  - { name: y }",
  ].join("\n");

  test.each<{ place: JsonPath; at: string; atKey?: boolean }>([
    { place: [], at: "1:1" },
    { place: ["tools"], at: "4:3" },
    { place: ["tools"], at: "3:1", atKey: true },
    { place: ["tools", 0], at: "4:5" },
    { place: ["tools", 0, "name"], at: "4:11" },
    { place: ["tools", 0, "execution", "text"], at: "7:13" },
    { place: ["tools", 0, "execution", "type"], at: "2:9" },
    { place: ["tools", 0, "execution", "missing"], at: "6:7" },
    { place: ["tools", 0, "empty"], at: "8:11" },
    { place: ["tools", 1, "type"], at: "2:9" },
    { place: ["tools", 2, "name"], at: "10:13" },
  ])("$place is at $at", async ({ place, at, atKey }) => {
    expect(await locate("yaml", text, place, { atKey })).toBe(at);
  });

  test.each([
    { title: "plain", text: "a:\n  text: hello {{ x" },
    { title: "plain over two lines", text: "a:\n  text: hello\n    there {{ x" },
    { title: "plain over a blank line", text: "a:\n  text: hello\n\n    there {{ x" },
    { title: "single quotes", text: "a:\n  text: 'it''s {{ x'" },
    { title: "single quotes over two lines", text: "a:\n  text: 'one \n    two {{ x'" },
    { title: "double quotes", text: 'a:\n  text: "tab \\t \\u00e9 \\x41 {{ x"' },
    { title: "double quotes with a long escape", text: 'a:\n  text: "\\U0001F600 {{ x"' },
    { title: "double quotes over two lines", text: 'a:\n  text: "one\n    two {{ x"' },
    { title: "double quotes with an escaped line break", text: 'a:\n  text: "one \\\n    two {{ x"' },
    { title: "a literal block", text: "a:\n  text: |\n    one\n    two {{ x\n  b: 1" },
    {
      title: "a literal block with blank lines and deeper lines",
      text: "a:\n  text: |\n\n    one\n\n      two\n    three {{ x\n",
    },
    { title: "a literal block with stripped end", text: "a:\n  text: |-\n    {{ x" },
    { title: "a literal block of stated indentation", text: "a:\n  text: |2\n      one\n    two {{ x\n" },
    { title: "a folded block", text: "a:\n  text: >\n    one\n    two {{ x\n" },
    { title: "a folded block with blank lines", text: "a:\n  text: >\n    one\n\n    two\n    three {{ x\n" },
    {
      title: "a folded block with deeper lines",
      text: "a:\n  text: >\n    one\n      deeper\n    three {{ x\n",
    },
    { title: "Windows line ends", text: "a:\r\n  text: |\r\n    one\r\n    two {{ x\r\n" },
  ])("an offset inside $title is found", async ({ text }) => {
    const parsed = await parseSource({ file: "x", path: "/x", format: "yaml", text });
    const value = (parsed.data as { a: { text: string } }).a.text;
    const { line, column } = positionsOf(text)(text.indexOf("{{"));
    expect(await locate("yaml", text, ["a", "text"], { offset: value.indexOf("{{") })).toBe(
      `${line}:${column}`,
    );
  });
});
