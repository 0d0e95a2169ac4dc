import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import type { MCIClientError } from "../../errors.ts";
import { cachedParser, parseObject, parseSource } from "./parse.ts";

const parse = (format: "json" | "yaml", text: string) =>
  parseSource({ file: `x.${format}`, path: `/x.${format}`, format, text });

const problems = async (format: "json" | "yaml", text: string) => {
  const error = (await parse(format, text).catch((thrown: unknown) => thrown)) as MCIClientError;
  expect(error.code).toBe("schema_syntax");
  return error.problems.map(({ line, column, message, hint }) => ({
    at: `${line}:${column}`,
    message,
    hint,
  }));
};

describe("JSON", () => {
  test("is what JSON.parse makes of it", async () => {
    expect((await parse("json", '{"a": [1, "é", null]}')).data).toEqual({ a: [1, "é", null] });
  });

  test.each([
    { text: "", at: "1:1", message: "The file is empty" },
    { text: " \n", at: "1:1", message: "The file is empty" },
    { text: '{\n  "a": 1\n  "b": 2\n}', at: "3:3", message: "a comma is missing before this" },
    { text: '{\n  "a": 1,\n}', at: "2:9", message: "a comma with nothing after it", hint: "remove it" },
    { text: '{"a": [1, 2, ]}', at: "1:12", message: "a comma with nothing after it", hint: "remove it" },
    { text: '{"a" 1}', at: "1:6", message: "a colon is missing before this" },
    { text: '{"a": }', at: "1:7", message: "a value is expected here" },
    { text: "{a: 1}", at: "1:2", message: 'unexpected "a"', hint: "put names in double quotes" },
    { text: "{'a': 1}", at: "1:2", message: "unexpected \"'a'\"", hint: "use double quotes" },
    {
      text: '{"a": yes}',
      at: "1:7",
      message: 'unexpected "yes"',
      hint: "text needs double quotes; the only bare words are true, false and null",
    },
    { text: '{"a": 1', at: "1:8", message: "a closing } is missing" },
    { text: '{"a": [1', at: "1:9", message: "a closing ] is missing" },
    { text: '{"a": 1}}', at: "1:9", message: "there is more text after the end of the document" },
    {
      text: '// note\n{"a": 1}',
      at: "1:1",
      message: "comments are not allowed",
      hint: "remove it, or write the file as YAML",
    },
    {
      text: '{"a": "x\ny"}',
      at: "1:7",
      message: "this string is not closed on its line",
      hint: "write a line break as \\n",
    },
    {
      text: '{"a": "C:\\dir"}',
      at: "1:7",
      message: "this string has an unknown escape",
      hint: "write a backslash as \\\\",
    },
    {
      text: '{"a": "x\ty"}',
      at: "1:7",
      message: "this string holds a control character",
      hint: "write a tab as \\t, a line break as \\n",
    },
  ])("[F-wrong] $message, at $at", async ({ text, at, message, hint }) => {
    const [first] = await problems("json", text);
    expect(first?.at).toBe(at);
    expect(first?.message).toMatch(/^(Invalid JSON: |The file is empty)/);
    expect(first?.message).toContain(message);
    if (hint !== undefined) expect(first?.hint).toBe(hint);
  });

  test("[L-all] every mistake is reported once, each on its own line", async () => {
    const text = '{\n  "a" 1,\n  "b": tru,\n  "c": [1 2],\n}';
    expect((await problems("json", text)).map(({ at }) => at)).toEqual(["2:7", "3:8", "4:11", "4:13"]);
  });

  test("the message names the file and the place", async () => {
    await expect(parse("json", '{\n  "a" 1\n}')).rejects.toThrow(
      "Failed to load schema from x.json: x.json:2:7: Invalid JSON: a colon is missing before this",
    );
  });

  test("[L-duplicate-keys] a key given twice is a warning, not an error; the last one counts", async () => {
    const parsed = await parse("json", '{\n  "a": {"b": 1,\n "b": 2},\n  "a": 3\n}');
    expect(parsed.data).toEqual({ a: 3 });
    expect(await parsed.warnings()).toEqual([
      {
        message: "The key 'b' is given twice, on lines 2 and 3; the last one counts",
        hint: "remove one of them",
        file: "x.json",
        line: 3,
        column: 2,
        path: "a.b",
        severity: "warning",
      },
      expect.objectContaining({ path: "a", line: 4, column: 3 }),
    ]);
  });

  test.each([
    ['{"a\\"b": 1, "b": 2}', 0],
    ['{"a\\\\": "\\":", "b" \n: "c\\\\"}', 0],
    ['[":", {":": "\\\\\\":"}, "x:"]', 0],
    ['{"__proto__": 1, "constructor": 2}', 0],
    ['{"a\\\\": 1, "b": [{"x": "\\"", "x" :2}]}', 1],
    ['{"a": 1, "\\u0061": 2}', 1],
    ['{"__proto__": 1, "__proto__": 2}', 1],
    ['{"a": {"b": 1, "b": 2}, "a": 3}', 2],
    ['"a"', 0],
  ])("[L-duplicate-keys] quotes and colons inside strings begin no keys: %s", async (text, count) => {
    expect(await (await parse("json", text)).warnings()).toHaveLength(count);
  });

  test("[L-hostile] a text nested a hundred thousand levels deep neither crashes nor loses its error", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const parsed = await parse("json", deep);
    expect((await parsed.locator())([0, 0])).toBeUndefined();
    expect(await parsed.warnings()).toEqual([]);
    expect(await problems("json", deep.slice(1))).toHaveLength(1);
  });
});

describe("YAML", () => {
  test.each([
    {
      title: "words of YAML 1.1 and dates are strings",
      text: "a: yes\nb: 2024-01-02\nc: Off",
      data: { a: "yes", b: "2024-01-02", c: "Off" },
    },
    { title: "numbers are numbers", text: "a: 1.0\nb: 0x10\nc: 1e3", data: { a: 1, b: 16, c: 1000 } },
    { title: "keys are strings", text: "1: a\ntrue: b", data: { "1": "a", true: "b" } },
    { title: "anchors are repeated", text: "a: &x {b: 1}\nc: *x", data: { a: { b: 1 }, c: { b: 1 } } },
    {
      title: "maps are merged",
      text: "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3",
      data: { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } },
    },
    {
      title: "explicit tags of other types stay plain",
      text: "a: !!timestamp 2024-01-02",
      data: { a: "2024-01-02" },
    },
    {
      title: "an older version directive changes nothing",
      text: "%YAML 1.1\n---\na: yes",
      data: { a: "yes" },
    },
    { title: "an empty file is null", text: "# nothing yet\n", data: null },
  ])("[L-read] $title", async ({ text, data }) => {
    expect((await parse("yaml", text)).data).toEqual(data);
  });

  test("[L-duplicate-keys] a key given twice is a warning, as in JSON; the last one counts", async () => {
    const parsed = await parse("yaml", "a: 1\nb: 2\na: 3");
    expect(parsed.data).toEqual({ a: 3, b: 2 });
    expect(await parsed.warnings()).toMatchObject([
      {
        message: "The key 'a' is given twice, on lines 1 and 3; the last one counts",
        hint: "remove one of them",
        line: 3,
        severity: "warning",
      },
    ]);
    expect((await parsed.locator())(["a"])).toEqual({ line: 3, column: 4 });
  });

  test("[L-hostile] merge keys take linear time, and cannot multiply without end", async () => {
    const start = cpuMs();
    const merges = `x: &a {k: v}\nmap:\n${"  <<: *a\n".repeat(1000)}`;
    const { data, locator } = await parse("yaml", merges);
    expect(data).toMatchObject({ map: { k: "v" } });
    const locate = await locator();
    for (let count = 0; count < 300; count++) expect(locate(["map", "k"])?.line).toBe(1);
    const chain = Array.from({ length: 25 }, (_, at) => `a${at + 1}: &a${at + 1}\n  <<: [*a${at}, *a${at}]`);
    await expect(parse("yaml", `a0: &a0 {k: v}\n${chain.join("\n")}`)).rejects.toThrow(
      "merge keys (<<) repeat too much",
    );
    expect(cpuMs() - start).toBeLessThan(2000);
  });

  test("hundreds of repeated anchors are fine", async () => {
    const text = `x: &x {a: 1}\nlist:\n${"  - *x\n".repeat(500)}`;
    expect((await parse("yaml", text)).data).toMatchObject({ list: Array(500).fill({ a: 1 }) });
  });

  test.each([
    { text: "a: 1\n\tb: 2", at: "2:1", message: "a tab is used as indentation", hint: "indent with spaces" },
    {
      text: "a:\n  text: {{props.x}}",
      at: "2:10",
      message: "a value that begins with { is read as a map",
      hint: "put a value that begins with {{ or {!! in quotes",
    },
    {
      text: "- {{props.x}} and more",
      at: "1:4",
      message: "a value that begins with { is read as a map",
      hint: "put a value that begins with {{ or {!! in quotes",
    },
    {
      text: "text: @if(props.x)",
      at: "1:7",
      message: "a plain value cannot begin with @",
      hint: "put it in quotes, or under a | block",
    },
    {
      text: "a: b: c",
      at: "1:4",
      message: "a value that holds ': ' is read as one more key",
      hint: "put the value in quotes",
    },
    {
      text: "a: 1\n---\nb: 2",
      at: "2:1",
      message: "more than one document",
      hint: "keep one document in each file",
    },
    {
      text: "a: [1, 2",
      at: "1:9",
      message: "the list that begins with [ is not closed before this",
      hint: "put the ] where it ends, and keep its lines further right than its key",
    },
    {
      text: 'a: 1\nb: "x \\" y\nc: 2\n',
      at: "2:4",
      message: "this quote is never closed",
      hint: 'put a " at the end of the value',
    },
    {
      text: "a: 'it''s\nb: 2\n",
      at: "1:4",
      message: "this quote is never closed",
      hint: "put a ' at the end of the value",
    },
    {
      text: 'a: "x" y',
      at: "1:8",
      message: "the value has ended before this",
      hint: "put the whole value in quotes",
    },
    { text: "a: *nowhere", at: "1:4", message: "no anchor &nowhere comes before this" },
    { text: "a: &x\n  b: *x", at: "2:6", message: "*x contains itself" },
  ])("[F-wrong] $message, at $at", async ({ text, at, message, hint }) => {
    const [first] = await problems("yaml", text);
    expect(first?.at).toBe(at);
    expect(first?.message).toMatch(/^Invalid YAML: /);
    expect(first?.message.toLowerCase()).toContain(message.toLowerCase());
    expect(first?.hint).toBe(hint);
  });

  test("[L-all] every mistake is reported", async () => {
    const text = "a: @x\nb: %y\nb: 1";
    expect((await problems("yaml", text)).map(({ at }) => at)).toEqual(["1:4", "2:4"]);
  });

  test("[L-hostile] anchors that multiply without end are refused", async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items = Array(10)
        .fill(level === 0 ? "x" : `*l${level - 1}`)
        .join(", ");
      return `l${level}: &l${level} [${items}]`;
    });
    expect((await problems("yaml", levels.join("\n")))[0]?.message).toContain(
      "anchors are repeated too often",
    );
  });

  test("[F-wrong] a merge key without a mapping is named, and in quotes it is an ordinary key", async () => {
    expect((await problems("yaml", 'a: { <<: "" }'))[0]?.message).toContain("the value of a merge key (<<)");
    expect((await parse("yaml", 'a: { "<<": "" }')).data).toEqual({
      a: { "<<": "" },
    });
  });

  test("[L-hostile] a text nested too deeply is refused", async () => {
    expect((await problems("yaml", "[".repeat(20_000)))[0]?.message).toMatch(
      /nested too deeply|is not closed/,
    );
  });

  test("an unknown tag is a warning", async () => {
    const parsed = await parse("yaml", "a: 1\nb: !custom x");
    expect(parsed.data).toEqual({ a: 1, b: "x" });
    expect(await parsed.warnings()).toMatchObject([{ line: 2, column: 4, severity: "warning" }]);
  });
});

test("a document in memory has no positions", async () => {
  const parsed = parseObject({ a: 1 });
  expect(parsed.file).toBeUndefined();
  expect((await parsed.locator())(["a"])).toBeUndefined();
  expect(await parsed.warnings()).toEqual([]);
});

test("a cached parser reads a file once, also one that fails", async () => {
  const folder = temporaryFolder({ "good.json": "{}", "bad.json": "{" });
  const good = join(folder, "good.json");
  const bad = join(folder, "bad.json");
  const parse = cachedParser();
  const first = await parse(good);
  await expect(parse(bad)).rejects.toThrow("Invalid JSON");
  rmSync(folder, { recursive: true });
  expect(await parse(good)).toBe(first);
  await expect(parse(bad)).rejects.toThrow("Invalid JSON");
});
