import { expect, test } from "vitest";
import { createToken, createTokenCheck, isUsableToken } from "./token.ts";

test.each([
  ["Bearer abc", true],
  ["bearer abc", true],
  ["Bearer  abc", true],
  [undefined, false],
  ["", false],
  ["abc", false],
  ["Bearer", false],
  ["Bearer ", false],
  ["Bearer abcd", false],
  ["Bearer ab", false],
  ["Bearer abc abc", false],
  ["Bearer\tabc", false],
  ["Basic abc", false],
])("[G-token] %j passes: %s", (authorization, passes) => {
  const check = () => createTokenCheck("abc", { realm: "test" })(authorization);
  if (passes) expect(check).not.toThrow();
  else
    expect(check).toThrow(
      expect.objectContaining({
        code: "unauthorized",
        status: 401,
        headers: { "www-authenticate": 'Bearer realm="test"' },
      }),
    );
});

test("[G-token] without a token every request passes", () => {
  expect(() => createTokenCheck(undefined, { realm: "test" })(undefined)).not.toThrow();
});

test("created tokens are long, different, and can be sent", () => {
  const tokens = new Set(Array.from({ length: 100 }, createToken));
  expect(tokens.size).toBe(100);
  for (const token of tokens) {
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(isUsableToken(token)).toBe(true);
  }
});

test.each(["", " ", "a b", "a\n", "ä", "a\u007f"])("%j could never be sent as a token", (token) => {
  expect(isUsableToken(token)).toBe(false);
});
