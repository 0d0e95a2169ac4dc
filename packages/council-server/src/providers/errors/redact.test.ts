import { assert } from "fast-check";
import { expect, test } from "vitest";
import properties from "./redact.fuzz.ts";
import { mapTexts, redactKeys, replyRedactor } from "./redact.ts";

const KEY = "Zq8-prov1der+key/0123456789~abcdef";
const base64 = (text: string) => Buffer.from(text).toString("base64");

test.each([
  ["as it is", KEY],
  ["percent-encoded", encodeURIComponent(KEY)],
  ["as hex", Buffer.from(KEY).toString("hex")],
  ["as upper-case hex", Buffer.from(KEY).toString("hex").toUpperCase()],
  ["in upper case", KEY.toUpperCase()],
  ["in lower case", KEY.toLowerCase()],
  ["percent-encoded in lower case", encodeURIComponent(KEY).toLowerCase()],
  ["broken into two lines", `${KEY.slice(0, 14)}\n  ${KEY.slice(14)}`],
  ["broken into two lines, as JSON", `${KEY.slice(0, 14)}\\r\\n${KEY.slice(14)}`],
  ["as hex in lines", Buffer.from(KEY).toString("hex").replace(/.{32}/g, "$&\r\n")],
  ["as base64 in lines", base64(KEY).replace(/.{20}/g, "$&\n")],
  ["as base64", base64(KEY)],
  ["as base64url", Buffer.from(KEY).toString("base64url")],
  ["as base64 behind one character", base64(`:${KEY}`)],
  ["as base64 of a user and password", base64(`me:${KEY}:x`)],
  ["inside JSON of PHP", KEY.replaceAll("/", "\\/")],
  ["inside JSON of .NET", KEY.replaceAll("+", "\\u002B")],
  ["cut off", KEY.slice(0, 12)],
  ["as hex, cut off", Buffer.from(KEY).toString("hex").slice(0, 20)],
])("[M-key] a key that a provider repeats %s is masked", (_, form) => {
  const text = redactKeys(`The key ${form} is wrong; again: ${form}.`, [KEY]);
  expect(text).toContain("[key]");
  expect(text).toContain("is wrong; again: ");
  for (let i = 0; i + 12 <= form.length; i++) expect(text).not.toContain(form.slice(i, i + 12));
});

test("[M-key] what is not a key stays, and no key masks nothing", () => {
  expect(redactKeys("Model Zq8-pro does not exist", [KEY])).toBe("Model Zq8-pro does not exist");
  expect(redactKeys("Nothing", ["", KEY])).toBe("Nothing");
});

test.each(["k", "me", "key", "12345"])("[M-key] of a short key only the key itself is masked: %s", (key) => {
  expect(redactKeys("Overloaded", [key])).toBe("Overloaded");
  expect(redactKeys(`It is <${key}>.`, [key])).toBe("It is <[key]>.");
  expect(redactKeys("KEYS, MEN", [key])).toBe("KEYS, MEN");
});

test.each(properties)("[M-key] $name", ({ property }) => {
  assert(property as Parameters<typeof assert>[0], { numRuns: 500 });
});

test("[M-key] what a model writes about keys stays; ours does not, and what is shared by all keys of a provider does", () => {
  const redact = replyRedactor(["sk-proj-4f9a81c2d0e5b7", "lm-studio", ""]);
  const text = "Use a key-value-store, lm-studio, or a key such as sk-proj-… or sk-test-1234567890.";
  expect(redact(text)).toBe(text);
  expect(redact("It is sk-proj-4f9a81, then SK-PROJ-4F9A81C2D0E5B7.")).toBe("It is [key], then [key].");
});

test("[M-key] texts are replaced at any depth, names included, and what has none stays the same object", () => {
  const value = { a: [{ b: "x" }], c: null, d: 1 };
  expect(mapTexts(value, (text) => text)).toBe(value);
  expect(mapTexts(value, (text) => (text === "x" || text === "d" ? "[key]" : text))).toEqual({
    a: [{ b: "[key]" }],
    c: null,
    "[key]": 1,
  });
});
