import type { IncomingMessage } from "node:http";
import { hostname } from "node:os";
import { expect, test } from "vitest";
import { hostCheck, isLoopback } from "./hosts.ts";

const ask = (check: ReturnType<typeof hostCheck>, host?: string, origin?: string) =>
  check({ headers: { ...(host !== undefined && { host }), origin } } as IncomingMessage)?.status ?? 200;

test.each([
  ["127.0.0.1", "localhost", 200],
  ["127.0.0.1", "localhost:8080", 200],
  ["127.0.0.1", "[::1]:8080", 200],
  ["127.0.0.2", "127.0.0.2", 200],
  ["localhost", "127.0.0.1", 200],
  ["127.0.0.1", undefined, 403],
  ["127.0.0.1", "", 403],
  ["127.0.0.1", ":80", 403],
  ["127.0.0.1", "10.0.0.1", 403],
  ["127.0.0.1", hostname() === "localhost" ? "other" : hostname(), 403],
  ["127.0.0.1", "rebound.example", 403],
  ["127.0.0.1", "localhost.", 403],
  ["0.0.0.0", "10.0.0.1:80", 200],
  ["0.0.0.0", "[2001:db8::1]", 200],
  ["0.0.0.0", hostname(), 200],
  ["0.0.0.0", "rebound.example", 403],
  ["box.example", "box.example", 200],
  ["2001:DB8::1", "[2001:db8::1]", 200],
])("[RUN-http-hosts] bound to %s and called by %s it answers %i", (boundTo, host, status) => {
  expect(ask(hostCheck(boundTo), host)).toBe(status);
});

test.each([
  ["127.0.0.1", "http://localhost:3000", 200],
  ["127.0.0.1", "null", 403],
  ["127.0.0.1", "", 403],
  ["127.0.0.1", "https://evil.example", 403],
  // A page of any address is somebody's page.
  ["0.0.0.0", "http://10.0.0.1", 403],
  ["0.0.0.0", "https://ours.example", 200],
])("[RUN-http-hosts] bound to %s, a page of %j gets %i", (boundTo, origin, status) => {
  expect(ask(hostCheck(boundTo, ["ours.example"]), "localhost", origin)).toBe(status);
});

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["::1", true],
  ["::ffff:127.0.0.1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
  ["10.127.0.1", false],
])("%s is loopback: %s", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});
