import type { BlockList } from "node:net";

/** Loaded with the first list: most runs have none, and all would start later. */
const net = () => process.getBuiltinModule("node:net");

/** Whether an address is reached without a proxy. */
export type Bypass = (url: URL) => boolean;

/**
 * Reads a list of hosts as in NO_PROXY, separated by commas or blanks:
 *
 *   example.com, .example.com   the host and everything below it
 *   *.example.com               everything below it
 *   10.0.0.0/8, fd00::/8, ::1   addresses; names are not looked up
 *   example.com:8080, [::1]:80  only this port
 *   *                           every host
 */
export function parseNoProxy(list: string): Bypass {
  const entries = list.split(/[\s,]+/).filter(Boolean);
  const rules = entries.map(parseEntry);
  return (url) => {
    const host = withoutDot(url.hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase());
    const port = url.port || (url.protocol === "https:" ? "443" : "80");
    return rules.some((rule) => (rule.port === undefined || rule.port === port) && rule.matches(host));
  };
}

interface Rule {
  readonly port: string | undefined;
  readonly matches: (host: string) => boolean;
}

function parseEntry(entry: string): Rule {
  const { host, port } = splitPort(entry.toLowerCase());
  if (host === "*") return { port, matches: () => true };
  const addresses = addressesOf(host);
  if (addresses !== undefined) {
    const matches = (other: string) => net().isIP(other) !== 0 && addresses.check(other, familyOf(other));
    return { port, matches };
  }
  const isBelowOnly = host.startsWith("*.");
  const name = canonicalHost(withoutDot(host.replace(/^\*?\./, "")));
  if (net().isIP(name) !== 0) return { port, matches: (other) => other === name };
  const matches = (other: string) => (!isBelowOnly && other === name) || other.endsWith(`.${name}`);
  return { port, matches };
}

/** `host:80`, `[::1]:80`, `[::1]`; an IPv6 address without brackets has no port. */
function splitPort(entry: string): { host: string; port: string | undefined } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry);
  if (bracketed) return { host: bracketed[1]!, port: bracketed[2] && String(Number(bracketed[2])) };
  const block = /^\[([^\]]*)\](\/\d+)$/.exec(entry);
  if (block) return { host: block[1]! + block[2]!, port: undefined };
  const [host, port, ...more] = entry.split(":");
  return more.length === 0 && port !== undefined && /^\d+$/.test(port)
    ? { host: host!, port: String(Number(port)) }
    : { host: entry, port: undefined };
}

/** One address or a block of them; undefined: the entry is a name. */
function addressesOf(host: string): BlockList | undefined {
  const [address, bits, ...more] = host.split("/");
  if (net().isIP(address!) === 0 || more.length > 0) return undefined;
  const list = new (net().BlockList)();
  const family = familyOf(address!);
  const longest = family === "ipv4" ? 32 : 128;
  if (bits === undefined) list.addAddress(address!, family);
  else if (/^\d{1,3}$/.test(bits) && Number(bits) <= longest) list.addSubnet(address!, Number(bits), family);
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return net().isIP(address) === 6 ? "ipv6" : "ipv4";
}

/** As addresses spell it: `bücher.example` is `xn--bcher-kva.example`, `127.1` is `127.0.0.1`. */
function canonicalHost(name: string): string {
  // Anything but a bare name would be read as another part of the address.
  if (/[\s/?#@:\\[\]%]/.test(name)) return name;
  return URL.parse(`http://${name}`)?.hostname ?? name;
}

/** `example.com.` is the same name as `example.com`. */
function withoutDot(host: string): string {
  return host.length > 1 && host.endsWith(".") ? host.slice(0, -1) : host;
}
