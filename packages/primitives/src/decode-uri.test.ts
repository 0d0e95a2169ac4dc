import { expect, test } from "vitest";
import { decodeUri, strictDecodeUri } from "./decode-uri.ts";
import { isAlive } from "./is-alive.ts";
import { jsonOrText } from "./parse-json.ts";

test.each([
  ["a%20b", "a b", "a b"],
  ["100%", "100%", undefined],
  ["%C3", "%C3", undefined],
])("%s without its escapes", (text, lenient, strict) => {
  expect(decodeUri(text)).toBe(lenient);
  expect(strictDecodeUri(text)).toBe(strict);
});

test("a JSON text is its value, null included; any other text is itself", () => {
  expect(["null", "0", "[1]", "{1}", ""].map(jsonOrText)).toEqual([null, 0, [1], "{1}", ""]);
});

test("this process lives, an id that no process has does not", () => {
  expect([process.pid, 2 ** 30].map(isAlive)).toEqual([true, false]);
});
