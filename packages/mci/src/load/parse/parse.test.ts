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
    ["The file is empty", "1:1", ""],
    ["The file is empty", "1:1", " \n"],
    ["a comma is missing before this", "3:3", '{\n  "a": 1\n  "b": 2\n}'],
    ["a comma with nothing after it", "2:9", '{\n  "a": 1,\n}', "remove it"],
    ["a comma with nothing after it", "1:12", '{"a": [1, 2, ]}', "remove it"],
    ["a colon is missing before this", "1:6", '{"a" 1}'],
    ["a value is expected here", "1:7", '{"a": }'],
    ['unexpected "a"', "1:2", "{a: 1}", "put names in double quotes"],
    ["unexpected \"'a'\"", "1:2", "{'a': 1}", "use double quotes"],
    [
      'unexpected "yes"',
      "1:7",
      '{"a": yes}',
      "text needs double quotes; the only bare words are true, false and null",
    ],
    ["a closing } is missing", "1:8", '{"a": 1'],
    ["a closing ] is missing", "1:9", '{"a": [1'],
    ["there is more text after the end of the document", "1:9", '{"a": 1}}'],
    ["comments are not allowed", "1:1", '// note\n{"a": 1}', "remove it, or write the file as YAML"],
    ["this string is not closed on its line", "1:7", '{"a": "x\ny"}', "write a line break as \\n"],
    ["this string has an unknown escape", "1:7", '{"a": "C:\\dir"}', "write a backslash as \\\\"],
    [
      "this string holds a control character",
      "1:7",
      '{"a": "x\ty"}',
      "write a tab as \\t, a line break as \\n",
    ],
  ])("[F-wrong] %s, at %s", async (message, at, text, hint?: string) => {
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
    [
      "words of YAML 1.1 and dates are strings",
      "a: yes\nb: 2024-01-02\nc: Off",
      { a: "yes", b: "2024-01-02", c: "Off" },
    ],
    ["numbers are numbers", "a: 1.0\nb: 0x10\nc: 1e3", { a: 1, b: 16, c: 1000 }],
    ["keys are strings", "1: a\ntrue: b", { "1": "a", true: "b" }],
    ["anchors are repeated", "a: &x {b: 1}\nc: *x", { a: { b: 1 }, c: { b: 1 } }],
    ["maps are merged", "a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3", { a: { b: 1, c: 2 }, d: { b: 1, c: 3 } }],
    ["explicit tags of other types stay plain", "a: !!timestamp 2024-01-02", { a: "2024-01-02" }],
    ["an older version directive changes nothing", "%YAML 1.1\n---\na: yes", { a: "yes" }],
    ["an empty file is null", "# nothing yet\n", null],
  ])("[L-read] %s", async (_title, text, data) => {
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
    ["a tab is used as indentation", "2:1", "a: 1\n\tb: 2", "indent with spaces"],
    [
      "a value that begins with { is read as a map",
      "2:10",
      "a:\n  text: {{props.x}}",
      "put a value that begins with {{ or {!! in quotes",
    ],
    [
      "a value that begins with { is read as a map",
      "1:4",
      "- {{props.x}} and more",
      "put a value that begins with {{ or {!! in quotes",
    ],
    [
      "a plain value cannot begin with @",
      "1:7",
      "text: @if(props.x)",
      "put it in quotes, or under a | block",
    ],
    ["a value that holds ': ' is read as one more key", "1:4", "a: b: c", "put the value in quotes"],
    ["more than one document", "2:1", "a: 1\n---\nb: 2", "keep one document in each file"],
    [
      "the list that begins with [ is not closed before this",
      "1:9",
      "a: [1, 2",
      "put the ] where it ends, and keep its lines further right than its key",
    ],
    ["this quote is never closed", "2:4", 'a: 1\nb: "x \\" y\nc: 2\n', 'put a " at the end of the value'],
    ["this quote is never closed", "1:4", "a: 'it''s\nb: 2\n", "put a ' at the end of the value"],
    ["the value has ended before this", "1:8", 'a: "x" y', "put the whole value in quotes"],
    ["no anchor &nowhere comes before this", "1:4", "a: *nowhere"],
    ["*x contains itself", "2:6", "a: &x\n  b: *x"],
  ])("[F-wrong] %s, at %s", async (message, at, text, hint?: string) => {
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
