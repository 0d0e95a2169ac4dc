import { BlockList, isIPv4, isIPv6 } from "node:net";

/** Whether an IP address belongs to the public internet. Anything else (a name, nonsense) does not. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !RESERVED_V4.check(address, "ipv4");
  if (!isIPv6(address) || address.includes("%")) return false;
  const embedded = nat64(address);
  if (embedded !== undefined) return isPublicAddress(embedded);
  return GLOBAL_V6.check(address, "ipv6") && !RESERVED_V6.check(address, "ipv6");
}

const RESERVED_V4 = blockList("ipv4", [
  "0.0.0.0/8", // this network
  "10.0.0.0/8", // private
  "100.64.0.0/10", // shared by carriers
  "127.0.0.0/8", // loopback
  "169.254.0.0/16", // link-local, cloud metadata
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
]);

/** All that is handed out to the public so far; loopback, unique-local, link-local, mapped and multicast lie outside. */
const GLOBAL_V6 = blockList("ipv6", ["2000::/3"]);

const RESERVED_V6 = blockList("ipv6", [
  "2001::/23", // protocol assignments, Teredo
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4: an IPv4 address inside
  "3fff::/20", // documentation
]);

/** The IPv4 address inside a NAT64 address, which networks without IPv4 use to reach the rest. */
function nat64(address: string): string | undefined {
  if (!NAT64.check(address, "ipv6")) return undefined;
  // The URL parser gives the canonical spelling: two groups at the end, or fewer if they are zero.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split(":");
  const bits = groups.slice(-2).map((group) => Number.parseInt(group || "0", 16));
  return bits.flatMap((group) => [group >> 8, group & 255]).join(".");
}

const NAT64 = blockList("ipv6", ["64:ff9b::/96"]);

function blockList(family: "ipv4" | "ipv6", subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network, bits] = subnet.split("/") as [string, string];
    list.addSubnet(network, Number(bits), family);
  }
  return list;
}
