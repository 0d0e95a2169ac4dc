import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from "node:dns";
import { isIP, type Socket } from "node:net";
import { isPublicAddress } from "@mci-ts/primitives/ip-ranges";
import type { Dispatcher } from "undici";
import { raceAbort } from "../../abort.ts";
import type { ApiLogins, ApiLoginsOptions } from "../../login/api/api-logins.ts";
import type { OnAuthorize } from "../../login/login-options.ts";
import { memoryLoginStore } from "../../login/login-store.ts";
import type { ProxyAgents } from "../../proxy/proxy-agent.ts";
import { Agent, buildConnector } from "../../undici.ts";
import { TokenCache } from "./auth/token-cache.ts";
import { PRIVATE_ADDRESS, UNKNOWN_ADDRESS } from "./errors.ts";

/** Frees sockets that are still connecting after the calls that wanted them have ended. */
export const CONNECT_TIMEOUT_MS = 60_000;
/** HTTP/1.1 only: one call, one socket, so that ending a call ends its socket and no other's. */
export const CONNECTIONS = {
  allowH2: false,
  // Enough for any burst, few enough to leave file descriptors to others.
  connections: 256,
  // The call's own deadline rules.
  headersTimeout: 0,
  bodyTimeout: 0,
};

/** Origins whose network is remembered. */
const MAX_ORIGINS = 10_000;

export interface HttpAgentOptions {
  /** Finds the addresses of a host. Default: that of node:dns. */
  readonly lookup?: Lookup;
  /** Whether an address belongs to the public internet. Default: by the registries of special addresses. */
  readonly isPublic?: (address: string) => boolean;
  /** Default: every host is reached directly. */
  readonly proxies?: ProxyAgents | undefined;
  /** Where logins of people are. Default: in memory. */
  readonly login?: ApiLoginsOptions;
}

export type Lookup = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: LookupCallback,
) => void;
type LookupCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/** What the http calls of one client share: pooled connections and OAuth tokens. */
export class HttpAgent {
  readonly tokens = new TokenCache();
  readonly #connecting = new Map<Socket, string>();
  readonly #pending = new Set<QueuedRequest>();
  readonly #reached = new Set<string>();
  /** Where the connections of an origin led; an origin that is not in it counts as public. */
  readonly #networks = new Map<string, "private" | "public">();
  readonly #lookup: Lookup;
  readonly #isPublic: (address: string) => boolean;
  readonly #unrestricted: Dispatcher;
  /** A separate pool, so that a connection made without the check is never reused where it is required. */
  readonly #publicOnly: Dispatcher;
  readonly #proxies: ProxyAgents | undefined;
  readonly #login: ApiLoginsOptions | undefined;
  #logins: Promise<ApiLogins> | undefined;

  constructor({ lookup = dnsLookup, isPublic = isPublicAddress, proxies, login }: HttpAgentOptions = {}) {
    this.#proxies = proxies;
    this.#login = login;
    this.#lookup = lookup;
    this.#isPublic = isPublic;
    this.#unrestricted = this.#agent(false);
    this.#publicOnly = this.#agent(true);
  }

  /** How a person is asked to log in during a call; undefined: not at all. */
  get onAuthorize(): OnAuthorize | undefined {
    return this.#login?.login.onAuthorize;
  }

  /** The logins of people. What it takes is loaded with the first. */
  logins(): Promise<ApiLogins> {
    this.#logins ??= import("../../login/api/api-logins.ts").then(
      ({ ApiLogins }) =>
        new ApiLogins(this.#login ?? { login: { store: memoryLoginStore() }, proxy: undefined }),
    );
    return this.#logins;
  }

  /** `publicOnly`: the address that is connected to must be public. Of a proxy that is for `checkBehindProxy` to say. */
  dispatcher(origin: string, publicOnly: boolean): Dispatcher {
    return this.#proxies?.dispatcherFor(origin) ?? (publicOnly ? this.#publicOnly : this.#unrestricted);
  }

  usesProxy(origin: string): boolean {
    return this.#proxies?.dispatcherFor(origin) !== undefined;
  }

  /**
   * A proxy looks names up itself, so where a request ends is not seen here. What the name means here must be public, all
   * of it; a name that means nothing here cannot be judged, and is refused.
   */
  async checkBehindProxy(origin: string, signal: AbortSignal): Promise<void> {
    const hostname = new URL(origin).hostname.replace(/^\[(.*)\]$/, "$1");
    const addresses = isIP(hostname) ? [hostname] : await raceAbort(this.#addressesOf(hostname), signal);
    if (!addresses.every((address) => this.#isPublic(address))) throw privateAddress(hostname);
  }

  explain(origin: string, error: Error): Error {
    return this.#proxies?.explain(origin, error) ?? error;
  }

  /** A request was queued; it has no connection yet. */
  enqueue(request: QueuedRequest): void {
    this.#pending.add(request);
  }

  /** It has one now, or has failed. */
  dequeue(request: QueuedRequest): void {
    this.#pending.delete(request);
  }

  /** It was cancelled. undici would go on connecting, so unless another request waits for the origin, that ends here. */
  cancelPending(request: QueuedRequest): void {
    if (!this.#pending.delete(request)) return;
    for (const other of this.#pending) if (other.origin === request.origin) return;
    for (const [socket, origin] of this.#connecting)
      if (origin === request.origin) socket.destroy(new Error("abandoned"));
  }

  markReached(origin: string): void {
    if (this.#reached.size >= 1000) this.#reached.clear();
    this.#reached.add(origin);
  }

  wasReached(origin: string): boolean {
    return this.#reached.has(origin);
  }

  /** Whether every connection to the origin so far, that of its last response included, led to a private address. */
  wasPrivate(origin: string): boolean {
    return this.#networks.get(origin) === "private";
  }

  async close(): Promise<void> {
    this.tokens.close();
    for (const socket of this.#connecting.keys()) socket.destroy(new Error("closed"));
    await Promise.all([this.#unrestricted.destroy(), this.#publicOnly.destroy(), this.#proxies?.close()]);
  }

  #agent(publicOnly: boolean): Dispatcher {
    const connect = buildConnector({
      allowH2: false,
      timeout: CONNECT_TIMEOUT_MS,
      lookup: (...args: LookupArguments) => this.#resolveHost(publicOnly, ...args),
    });
    return new Agent({
      ...CONNECTIONS,
      connect: (options, callback) => {
        if (publicOnly && isIP(options.hostname) && !this.#isPublic(options.hostname)) {
          queueMicrotask(() => callback(privateAddress(options.hostname), null));
          return;
        }
        const origin = originOf(options);
        const socket = connect(options, (...result) => {
          this.#connecting.delete(socket);
          if (!publicOnly && result[1]) this.#recordNetwork(origin, result[1].remoteAddress ?? "");
          callback(...result);
        });
        this.#connecting.set(socket, origin);
      },
    });
  }

  /** One connection to a public address makes the origin public for good: which one a request uses is not known. */
  #recordNetwork(origin: string, address: string): void {
    const isPrivate = !this.#isPublic(address) && this.#networks.get(origin) !== "public";
    if (this.#networks.size >= MAX_ORIGINS && !this.#networks.has(origin)) return;
    this.#networks.set(origin, isPrivate ? "private" : "public");
  }

  #addressesOf(hostname: string): Promise<string[]> {
    return new Promise((resolve, reject) => {
      this.#lookup(hostname, { all: true }, (error, addresses) => {
        if (error || addresses.length === 0) reject(unknownAddress(hostname, error));
        else resolve(addresses.map(({ address }) => address));
      });
    });
  }

  /** The lookup of a connection. What it returns is what is connected to: no second lookup in between. */
  #resolveHost(
    publicOnly: boolean,
    hostname: string,
    options: LookupOptions,
    callback: LookupArguments[2],
  ): void {
    this.#lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const usable = publicOnly ? addresses.filter(({ address }) => this.#isPublic(address)) : addresses;
      if (usable.length === 0) callback(privateAddress(hostname), []);
      else if (options.all) callback(null, usable);
      else callback(null, usable[0]!.address, usable[0]!.family);
    });
  }
}

interface QueuedRequest {
  readonly origin: string;
}

type LookupArguments = [
  hostname: string,
  options: LookupOptions,
  callback: (error: Error | null, address: string | LookupAddress[], family?: number) => void,
];

function originOf({ protocol, host }: { protocol: string; host?: string }): string {
  return `${protocol}//${host}`;
}

function unknownAddress(host: string, cause: unknown): Error {
  return Object.assign(new Error(`${host} could not be looked up`, { cause }), { code: UNKNOWN_ADDRESS });
}

function privateAddress(host: string): Error {
  return Object.assign(new Error(`${host} is not a public address`), { code: PRIVATE_ADDRESS });
}
