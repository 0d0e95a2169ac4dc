import * as fc from "fast-check";
import { parseNoProxy } from "./no-proxy.ts";
import { parseProxy } from "./settings.ts";

const label = fc.constantFrom("a", "b", "internal", "evil", "xn--bcher-kva", "0", "com");
const name = fc
  .array(label, { minLength: 1, maxLength: 4 })
  .map((labels) => [...labels, "example"].join("."));
const ipv4 = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));

/** Spellings of one host; every client and every server takes them for the same. */
const spellings = fc.oneof(
  name.map((host) => [
    host,
    host.toUpperCase(),
    `${host}.`,
    host.replaceAll("xn--bcher-kva", "b\u00fccher"),
    host.replace("a", "%61"),
  ]),
  ipv4.map(([a, b, c, d]) => {
    const whole = ((a * 256 + b) * 256 + c) * 256 + d;
    return [
      `${a}.${b}.${c}.${d}`,
      `${whole}`,
      `0x${whole.toString(16)}`,
      `${a}.${b}.${c * 256 + d}`,
      `0${a.toString(8)}.${b}.${c}.${d}`,
    ];
  }),
  fc.array(fc.nat(0xffff), { minLength: 8, maxLength: 8 }).map((groups) => {
    const hex = groups.map((group) => group.toString(16));
    return [
      `[${hex.join(":")}]`,
      `[${hex
        .map((group) => group.padStart(4, "0"))
        .join(":")
        .toUpperCase()}]`,
    ];
  }),
);

const entry = fc.oneof(
  name,
  name.map((host) => `*.${host}`),
  name.map((host) => `.${host}`),
  name.map((host) => `${host}:8080`),
  ipv4.map((octets) => octets.join(".")),
  fc.tuple(ipv4, fc.nat(32)).map(([octets, bits]) => `${octets.join(".")}/${bits}`),
  fc.constantFrom("::/0", "fd00::/8", "[::1]:80", "*:1", ".", "*.", "..", "@", "a@b", "#", "\0", "%61"),
);
const list = fc.array(entry, { maxLength: 4 }).map((entries) => entries.join(","));

export default [
  {
    name: "the spelling of a host does not decide whether it takes the proxy",
    property: fc.asyncProperty(
      list,
      spellings,
      fc.constantFrom("", ":8080"),
      async (noProxy, hosts, port) => {
        const bypass = parseNoProxy(noProxy);
        const decisions = hosts.map((host) => bypass(new URL(`http://${host}${port}/`)));
        return new Set(decisions).size === 1;
      },
    ),
  },
  {
    name: "a name goes around the proxy only if it is listed or lies below a listed name",
    property: fc.asyncProperty(fc.array(name, { maxLength: 3 }), name, async (names, host) => {
      const isListed = names.some((each) => host === each || host.endsWith(`.${each}`));
      return parseNoProxy(names.join(" "))(new URL(`https://${host}/`)) === isListed;
    }),
  },
  {
    name: "the password of a proxy is in no part of its address, and its header is one line",
    property: fc.asyncProperty(
      fc.string({ unit: "binary", minLength: 1 }),
      fc.string({ unit: "binary" }),
      async (password, user) => {
        const [encodedUser, encoded] = [user, password].map((text) =>
          encodeURIComponent(text.toWellFormed()),
        );
        const parsed = parseProxy(`http://${encodedUser}:${encoded}@proxy.example:8080`);
        if (parsed === undefined) return false;
        const { origin, authorization = "" } = parsed.proxy;
        return (
          origin === "http://proxy.example:8080" &&
          /^Basic [A-Za-z0-9+/=]+$/.test(authorization) &&
          parsed.secrets.includes(password.toWellFormed())
        );
      },
    ),
  },
];
