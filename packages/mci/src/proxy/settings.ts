import { strictDecodeUri } from "@mci-ts/primitives/decode-uri";
import { MCIClientError } from "../errors.ts";
import { type Bypass, parseNoProxy } from "./no-proxy.ts";

/** Proxies by the scheme of the address that is requested. An address may hold a user and a password for the proxy. */
export interface ProxySettings {
  /** The proxy for `http://` addresses. Default: none. */
  readonly http?: string | undefined;
  /** The proxy for `https://` addresses; it passes the encrypted bytes on. Default: none. */
  readonly https?: string | undefined;
  /** Hosts that are reached without a proxy, written as in NO_PROXY. Default: none. */
  readonly noProxy?: string | undefined;
}

/** A proxy as it is connected to. */
export interface ProxyServer {
  /** Its address without credentials. */
  readonly origin: string;
  /** The value of `Proxy-Authorization`. */
  readonly authorization?: string;
}

/** Which requests go through which proxy. */
export interface ProxyRules {
  /** undefined: the address is reached directly. */
  proxyFor(origin: string): ProxyServer | undefined;
  /** Every proxy that may be used. */
  readonly proxies: readonly ProxyServer[];
  /** Credentials of the proxies: none of them may appear in output. */
  readonly secrets: readonly string[];
}

/** Reads the `proxy` of the load options; one address stands for both schemes. undefined: no proxy is used. */
export function readProxyRules(option: string | URL | ProxySettings | undefined): ProxyRules | undefined {
  if (option === undefined) return undefined;
  const isAddress = typeof option === "string" || option instanceof URL;
  const { http, https, noProxy = "" } = isAddress ? { http: String(option), https: String(option) } : option;
  const byScheme: Readonly<Record<string, ParsedProxy | undefined>> = {
    "http:": required(http, isAddress ? "options.proxy" : "options.proxy.http"),
    "https:": required(https, isAddress ? "options.proxy" : "options.proxy.https"),
  };
  const parsed = Object.values(byScheme).filter((proxy) => proxy !== undefined);
  if (parsed.length === 0) return undefined;
  const bypass: Bypass = parseNoProxy(noProxy);
  return {
    proxyFor(origin) {
      const url = new URL(origin);
      return bypass(url) ? undefined : byScheme[url.protocol]?.proxy;
    },
    proxies: parsed.map(({ proxy }) => proxy),
    secrets: parsed.flatMap(({ secrets }) => secrets),
  };
}

interface ParsedProxy {
  readonly proxy: ProxyServer;
  readonly secrets: readonly string[];
}

/** Reads the address of a proxy; without a scheme it is http. undefined: it cannot be one. */
export function parseProxy(address: string): ParsedProxy | undefined {
  const url = URL.parse(address.includes("://") ? address : `http://${address}`);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return undefined;
  if (url.username === "" && url.password === "") return { proxy: { origin: url.origin }, secrets: [] };
  const [user, password] = [strictDecodeUri(url.username), strictDecodeUri(url.password)];
  if (user === undefined || password === undefined) return undefined;
  const encoded = Buffer.from(`${user}:${password}`).toString("base64");
  return {
    proxy: { origin: url.origin, authorization: `Basic ${encoded}` },
    // A user alone is a token; with a password it is a name, which may be any word.
    secrets: [encoded, password === "" ? user : password],
  };
}

/** The value is not repeated in the message: it may hold a password. */
function required(address: string | undefined, name: string): ParsedProxy | undefined {
  if (address === undefined || address === "") return undefined;
  const parsed = parseProxy(address);
  if (parsed !== undefined) return parsed;
  throw new MCIClientError("invalid_argument", `${name} ${PROXY_ADDRESS}.`);
}

/** What an address of a proxy has to be, for messages. */
export const PROXY_ADDRESS =
  "must be the address of an HTTP proxy, such as http://proxy.example:8080 or http://user:password@proxy.example:8080";
