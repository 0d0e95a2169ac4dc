import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../../test/cpu-time.ts";
import { indentJson } from "./json.ts";

const indent = (text: string) => indentJson(text, 1_000_000);

describe("the same as JSON.stringify with two spaces", () => {
  // biome-ignore format: a table
  test.each([
    "{}", "[]", " { } ", "[ [ ] , { } ]", "null", " true ", '"text"', "-1.5e3", "[1,2,3]", '{"a":{"b":[1,{"c":null}]},"d":"e"}',
    '{"a" : 1 ,\n\t"b":[ true,false ]\r\n}', '["a,b]}\\"{[:"]', '{"":""}', '["\\\\","\\\\\\"",""]', '["日本","😀"]', '"\\u00e9\\ud83d\\ude00"',
    '["\\u0000\\n\\t\\"\\\\\\/"]', '"\\ud800"', '["a\u2028b"]',
  ])("[H-json] %s", (text) => {
    const value = JSON.parse(text);
    const canonical = typeof value === "number" ? text.trim() : JSON.stringify(value, null, 2);
    expect(indent(text)).toBe(canonical);
  });
});

test.each(["12345678901234567890", "0.1234567890123456789012345", "1e400", "1.0", "-0", "1E+2"])(
  "[H-json-digits] %s keeps its digits",
  (number) => {
    expect(indent(`{"id":${number}}`)).toBe(`{\n  "id": ${number}\n}`);
  },
);

describe("hostile texts", () => {
  test("[H-json-bomb] nesting without end is not indented", () => {
    expect(indentJson("[".repeat(100_000) + "]".repeat(100_000), 1e9)).toBeUndefined();
  });

  test("[H-json-bomb] neither is a text that indentation would multiply", () => {
    const text = `${"[".repeat(400)}${"1,".repeat(100_000)}1${"]".repeat(400)}`;
    expect(indentJson(text, 1_000_000)).toBeUndefined();
  });

  test("[H-json-bomb] time grows with the length only", () => {
    const start = cpuMs();
    indentJson(`["${"\\\\".repeat(500_000)}","${'\\"'.repeat(500_000)}"]`, 1e9);
    expect(cpuMs() - start).toBeLessThan(3000);
  });
});
