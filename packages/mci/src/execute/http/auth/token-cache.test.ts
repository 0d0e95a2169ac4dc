import { expect, test } from "vitest";
import type { Target } from "../url/url.ts";
import { type Token, TokenCache, type TokenRequest } from "./token-cache.ts";

const request: TokenRequest = {
  target: { origin: "https://auth.example.com", path: "/token", callerHost: false } as Target,
  clientId: "id",
  clientSecret: "secret",
  scope: "a b",
};
const never = new AbortController().signal;

/** A token endpoint that counts, and responds on demand. */
function endpoint(expiresInSeconds?: number) {
  const made = {
    calls: 0,
    ends: [] as AbortSignal[],
    answer: (): void => {},
    fetch: (signal: AbortSignal): Promise<Token> => {
      const value = `token-${++made.calls}`;
      made.ends.push(signal);
      return new Promise((resolve, reject) => {
        made.answer = () => resolve({ value, expiresInSeconds });
        signal.addEventListener("abort", () => reject(signal.reason));
      });
    },
    now: async (_signal: AbortSignal): Promise<Token> => ({
      value: `token-${++made.calls}`,
      expiresInSeconds,
    }),
  };
  return made;
}

test("[H-oauth-401] a token is cached until shortly before it expires", async () => {
  let now = 0;
  const cache = new TokenCache(() => now);
  const { now: fetch } = endpoint(3600);
  expect(await cache.get(request, never, fetch)).toBe("token-1");
  now = 3_569_000;
  expect(await cache.get(request, never, fetch)).toBe("token-1");
  now = 3_571_000;
  expect(await cache.get(request, never, fetch)).toBe("token-2");
});

test("[H-oauth-401] a short life is used for nine tenths", async () => {
  let now = 0;
  const cache = new TokenCache(() => now);
  const { now: fetch } = endpoint(10);
  await cache.get(request, never, fetch);
  now = 8_900;
  expect(await cache.get(request, never, fetch)).toBe("token-1");
  now = 9_100;
  expect(await cache.get(request, never, fetch)).toBe("token-2");
});

test("[H-oauth-401] without an expiry a token is cached for five minutes", async () => {
  let now = 0;
  const cache = new TokenCache(() => now);
  const { now: fetch } = endpoint();
  await cache.get(request, never, fetch);
  now = 299_000;
  expect(await cache.get(request, never, fetch)).toBe("token-1");
  now = 301_000;
  expect(await cache.get(request, never, fetch)).toBe("token-2");
});

test("[H-oauth-401] everything that identifies a token keeps it apart", async () => {
  const cache = new TokenCache();
  const { now: fetch } = endpoint(3600);
  const others: TokenRequest[] = [
    { ...request, clientId: "other" },
    { ...request, clientSecret: "other" },
    { ...request, scope: "a" },
    { ...request, target: { ...request.target, path: "/other" } },
    { ...request, target: { ...request.target, origin: "https://other.example.com" } },
  ];
  const tokens = await Promise.all([request, ...others].map((each) => cache.get(each, never, fetch)));
  expect(new Set(tokens).size).toBe(6);
});

test("[H-oauth-401] callers that wait at the same time share one request", async () => {
  const cache = new TokenCache();
  const server = endpoint(3600);
  const waiting = Array.from({ length: 50 }, () => cache.get(request, never, server.fetch));
  server.answer();
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["token-1"]));
  expect(server.calls).toBe(1);
});

test("[H-oauth-401] one that gives up does not end it for the others", async () => {
  const cache = new TokenCache();
  const server = endpoint(3600);
  const impatient = new AbortController();
  const first = cache.get(request, impatient.signal, server.fetch);
  const second = cache.get(request, never, server.fetch);
  impatient.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  expect(server.ends[0]?.aborted).toBe(false);
  server.answer();
  expect(await second).toBe("token-1");
});

test("[H-oauth-401] when the last one gives up the request ends, and the next caller starts a new one", async () => {
  const cache = new TokenCache();
  const server = endpoint(3600);
  const impatient = new AbortController();
  const first = cache.get(request, impatient.signal, server.fetch);
  impatient.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  expect(server.ends[0]?.aborted).toBe(true);
  const next = cache.get(request, never, server.fetch);
  server.answer();
  expect(await next).toBe("token-2");
});

test("a failure is not cached", async () => {
  const cache = new TokenCache();
  const { now: fetch } = endpoint(3600);
  await expect(cache.get(request, never, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await cache.get(request, never, fetch)).toBe("token-1");
});

test("[H-oauth-401] a refused token is forgotten, a newer one is not", async () => {
  const cache = new TokenCache();
  const { now: fetch } = endpoint(3600);
  await cache.get(request, never, fetch);
  cache.invalidate(request, "token-1");
  expect(await cache.get(request, never, fetch)).toBe("token-2");
  cache.invalidate(request, "token-1");
  expect(await cache.get(request, never, fetch)).toBe("token-2");
});
