import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { newToken, tokenCheck } from "./token.ts";

const ask = (token: string, authorization?: string) =>
  tokenCheck(token)({ headers: { authorization } } as IncomingMessage)?.status;

test.each([
  ["Bearer abc", undefined],
  ["bearer abc", undefined],
  ["Bearer  abc", undefined],
  [undefined, 401],
  ["", 401],
  ["abc", 401],
  ["Bearer", 401],
  ["Bearer ", 401],
  ["Bearer abcd", 401],
  ["Bearer ab", 401],
  ["Bearer abc abc", 401],
  ["Basic abc", 401],
])("[RUN-http-token] %j is answered with %s", (authorization, status) => {
  expect(ask("abc", authorization)).toBe(status);
});

test("tokens are long and never the same", () => {
  const tokens = new Set(Array.from({ length: 100 }, newToken));
  expect(tokens.size).toBe(100);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{43}$/);
});
