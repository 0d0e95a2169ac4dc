import { expect, test } from "vitest";
import { isLoopback, networkOf, urlHost } from "./address.ts";

test.each([
  ["localhost", true],
  ["127.0.0.1", true],
  ["127.8.9.1", true],
  ["::1", true],
  ["[::1]", true],
  ["0:0:0:0:0:0:0:1", true],
  ["::ffff:127.0.0.1", true],
  ["::ffff:7f00:1", true],
  ["0.0.0.0", false],
  ["::", false],
  ["::ffff:10.0.0.1", false],
  ["127.0.0.1.example.com", false],
  ["localhost.example.com", false],
  ["10.127.0.1", false],
  ["", false],
])("%j is loopback: %s [G-loopback]", (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test.each([
  ["10.0.0.1", "10.0.0.1"],
  ["::ffff:10.0.0.1", "10.0.0.1"],
  ["::ffff:a00:1", "10.0.0.1"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["2001:db8:0:0:ffff::2", "2001:db8:0:0::/64"],
  ["2001:db8:0:1::1", "2001:db8:0:1::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::10.0.0.1", "64:ff9b:0:0::/64"],
  ["", ""],
])("%j counts as client %j [G-network]", (address, expected) => {
  expect(networkOf(address)).toBe(expected);
});

test("hosts are written as URLs have them", () => {
  expect(["LocalHost", "2001:DB8:0::1", "127.0.0.1"].map(urlHost)).toEqual([
    "localhost",
    "[2001:db8::1]",
    "127.0.0.1",
  ]);
});
