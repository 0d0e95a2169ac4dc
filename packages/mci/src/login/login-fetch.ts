import { lookup as dnsLookup, type LookupAddress, type LookupOptions, promises } from "node:dns";
import { isIP } from "node:net";
import { isPublicAddress } from "@mci-ts/primitives/ip-ranges";
import type { ProxyRules } from "../proxy/settings.ts";
import { Agent, buildConnector, loadFetch } from "../undici.ts";

/** The requests of a login: metadata, registration, tokens. */
export interface LoginFetch {
  readonly fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  close(): Promise<void>;
}

export interface LoginFetchOptions {
  /** Addresses that the file names, besides that of the server itself: they may lie in a private network. */
  readonly trusted: readonly (string | URL)[];
  readonly proxy?: ProxyRules | undefined;
  readonly signal?: AbortSignal;
  /** Milliseconds for each request. Default 30,000. */
  readonly timeoutMs?: number;
}

/**
 * A server chooses where the metadata of its login is, so it must not lead into networks that it cannot reach itself: other hosts
 * than those of the file are reached at public addresses only, unless the file's own hosts are private.
 */
export async function openLoginFetch({
  trusted,
  proxy,
  signal = NEVER,
  timeoutMs = TIMEOUT_MS,
}: LoginFetchOptions): Promise<LoginFetch> {
  const fetch = await loadFetch();
  const hosts = new Set(trusted.map((address) => new URL(address).hostname));
  const allowsPrivate = [...hosts].some(isLocal);
  const settings = { allowH2: false, maxResponseSize: MAX_BYTES, headersTimeout: TIMEOUT_MS };
  const direct = new Agent({ ...settings, bodyTimeout: TIMEOUT_MS, connect: connector(false) });
  const guarded = new Agent({ ...settings, bodyTimeout: TIMEOUT_MS, connect: connector(true) });
  const proxies = proxy && (await openProxies(proxy));
  return {
    async fetch(url, init) {
      const { hostname, origin } = new URL(url);
      const isTrusted = allowsPrivate || hosts.has(hostname);
      const viaProxy = proxies?.dispatcherFor(origin);
      if (viaProxy && !isTrusted) await requirePublic(hostname);
      const dispatcher = viaProxy ?? (isTrusted ? direct : guarded);
      const timeout = AbortSignal.timeout(timeoutMs);
      const cancelled = AbortSignal.any([signal, ...(init?.signal ? [init.signal] : [])]);
      const sent = { ...(init as object), dispatcher, signal: AbortSignal.any([cancelled, timeout]) };
      try {
        const response = await fetch(url, init?.method === "POST" ? { ...sent, redirect: "error" } : sent);
        return new Response(await bodyOf(response as unknown as Response), {
          status: response.status,
          headers: [...response.headers],
        });
      } catch (error) {
        if (cancelled.aborted || !(timeout.aborted || isTimeout(error))) throw error;
        const message = `${origin} did not respond within ${timeoutMs / 1000} seconds. Check that it can be reached from here, then log in again`;
        throw new Error(message, { cause: error });
      }
    },
    async close() {
      await Promise.allSettled([direct.destroy(), guarded.destroy(), proxies?.close()]);
    },
  };
}

/** The connection has timeouts of its own. */
function isTimeout(error: unknown): boolean {
  const { code } = ((error as Error).cause ?? {}) as { code?: unknown };
  return /^UND_ERR_(?:CONNECT|HEADERS|BODY)_TIMEOUT$/.test(String(code));
}

/** `maxResponseSize` counts what comes over the wire; a compressed body may be any size. */
async function bodyOf({ body, status }: Response): Promise<Uint8Array<ArrayBuffer> | null> {
  if (body === null || [101, 204, 205, 304].includes(status)) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new Error(`a response of more than ${MAX_BYTES} bytes`);
    chunks.push(chunk);
  }
  return new Uint8Array(Buffer.concat(chunks));
}

function connector(publicOnly: boolean) {
  const connect = buildConnector({
    allowH2: false,
    timeout: TIMEOUT_MS,
    ...(publicOnly && { lookup: lookupPublic }),
  });
  const checked: typeof connect = (options, callback) => {
    if (publicOnly && isIP(options.hostname) && !isPublicAddress(options.hostname)) {
      queueMicrotask(() => callback(notPublic(options.hostname), null));
      return undefined as never;
    }
    return connect(options, callback);
  };
  return checked;
}

/** What it returns is what is connected to: no second lookup in between. */
function lookupPublic(
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
): void {
  dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error) return callback(error, []);
    const usable = addresses.filter(({ address }) => isPublicAddress(address));
    if (usable.length === 0) callback(notPublic(hostname), []);
    else if (options.all) callback(null, usable);
    else callback(null, usable[0]!.address, usable[0]!.family);
  });
}

/** A proxy looks names up itself: what the name means here must be public, all of it. */
async function requirePublic(hostname: string): Promise<void> {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  const addresses = isIP(host) ? [{ address: host }] : await promises.lookup(host, { all: true });
  if (!addresses.every(({ address }) => isPublicAddress(address))) throw notPublic(hostname);
}

function notPublic(host: string): Error {
  return new Error(
    `${host} is not a public address. If the login really is there, name its issuer in the server's auth.issuer`,
  );
}

const isLocal = (hostname: string) => {
  const host = hostname.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || host.endsWith(".localhost") || (isIP(host) !== 0 && !isPublicAddress(host));
};

async function openProxies(proxy: ProxyRules) {
  const { ProxyAgents } = await import("../proxy/proxy-agent.ts");
  return ProxyAgents.open(proxy, { pool: { maxResponseSize: MAX_BYTES }, timeoutMs: TIMEOUT_MS });
}

const NEVER = new AbortController().signal;
const MAX_BYTES = 1024 * 1024;
const TIMEOUT_MS = 30_000;
