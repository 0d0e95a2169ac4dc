import { BlockList, isIP } from "node:net";

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet("127.0.0.0", 8);
LOOPBACK.addAddress("::1", "ipv6");

/** Whether a host or client address is this machine itself; IPv4 addresses written as IPv6 count too. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, "$1").toLowerCase();
  const family = isIP(name);
  return family === 0 ? name === "localhost" : LOOPBACK.check(name, family === 6 ? "ipv6" : "ipv4");
}

/** The host as it stands in a URL: lower case, IPv6 in brackets and in its short form. */
export function urlHost(host: string): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return URL.canParse(`http://${name}`) ? new URL(`http://${name}`).hostname : name.toLowerCase();
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since a client with one IPv6 address has
 * 2^64 of them. IPv4 written as IPv6 counts as IPv4.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%", 1);
  if (isIP(plain) !== 6) return plain;
  const groups = expand(urlHost(plain).slice(1, -1));
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    const [high = 0, low = 0] = groups.slice(6);
    return [high >> 8, high & 255, low >> 8, low & 255].join(".");
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an address in the form URLs use, which has no dotted part. */
function expand(address: string): number[] {
  const [head = "", tail = ""] = address.split("::");
  const before = head.split(":").filter(Boolean);
  const after = tail.split(":").filter(Boolean);
  const zeros = Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].map((group) => Number.parseInt(group, 16));
}
