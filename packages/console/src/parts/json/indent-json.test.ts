import { expect, test } from "vitest";
import { indentJson } from "./indent-json.ts";

test.each([
  { a: 1, b: [true, null, { c: "x" }], d: {}, e: [], f: [[]] },
  [{ "a:b,{[": 'quotes " and \\ backslashes, [ brackets ] and ,: signs' }, [1, [2, [3]]]],
  { "": "", "\u2028": "\ud800 💡", "tab\t": "line\n" },
  [],
  {},
])("%j is indented as JSON.stringify does", (value) => {
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
  expect(indentJson(JSON.stringify(value, undefined, "\t\n "))).toBe(JSON.stringify(value, undefined, 2));
});

test("numbers and strings stay as they are written, and a key that stands twice stays twice", () => {
  expect(indentJson('{"id":12345678901234567890,"n":1.10,"e":1E2,"s":"\\u00e9\\/","id":-0}')).toBe(
    '{\n  "id": 12345678901234567890,\n  "n": 1.10,\n  "e": 1E2,\n  "s": "\\u00e9\\/",\n  "id": -0\n}',
  );
});

test.each(["", "text", "5", '"x"', "{broken", "[1,]", "[1] [2]", `${"[".repeat(60)}${"]".repeat(60)}`])(
  "%j is left as it is",
  (text) => {
    expect(indentJson(text)).toBe(undefined);
  },
);

test.each([
  ['{"a":[1,2', '{\n  "a": [\n    1,\n    2'],
  ['{"a":"cut in a str', '{\n  "a": "cut in a str'],
  ['{"a":"cut in an escape \\', '{\n  "a": "cut in an escape \\'],
])("the beginning of a JSON text is indented, too: %j", (text, indented) => {
  expect(indentJson(text, true)).toBe(indented);
  expect(indentJson(text)).toBe(undefined);
});

test("hostile texts take time that grows with their length", () => {
  const time = (text: string) => {
    const began = performance.now();
    indentJson(text, true);
    return performance.now() - began;
  };
  for (const text of ['["', "[\\", '["\\', '[""', "[,", "{:", "[1 ", "[]"])
    expect(time(`[${text.repeat(500_000).slice(0, 1_900_000)}`), JSON.stringify(text)).toBeLessThan(2000);
  expect(indentJson(`[${"0,".repeat(1_000_000)}0]`)).toBe(undefined);
});
