import { expect, test } from "vitest";
import { isPublicAddress } from "./ip-ranges.ts";

// biome-ignore format: a table
test.each([
  "1.1.1.1", "8.8.8.8", "172.15.0.1", "172.32.0.1", "100.63.0.1", "100.128.0.1", "192.167.1.1", "223.255.255.255",
  "2606:4700:4700::1111", "2a00:1450:4001::200e", "64:ff9b::808:808", "64:ff9b::8.8.8.8",
])("[H-private] %s is public", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

// biome-ignore format: a table
test.each([
  "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "127.255.255.255", "169.254.169.254", "172.16.0.1", "172.31.255.255",
  "192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
  "::", "::1", "::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8", "::127.0.0.1", "fc00::1", "fd00:ec2::254", "fe80::1",
  "fe80::1%eth0", "fec0::1", "ff02::1", "2001:db8::1", "2001::1", "2002:7f00:1::", "3fff::1", "100::1", "64:ff9b::127.0.0.1",
  "64:ff9b::a00:1", "64:ff9b::", "64:ff9b:1::1", "localhost", "", "nonsense",
])("[H-private] %s is not", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});
