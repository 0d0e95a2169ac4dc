import { isIP } from "node:net";
import { hostname as machineName } from "node:os";
import { isLoopback, urlHost } from "./address.ts";
import { GuardError } from "./error.ts";

export interface HostGuardOptions {
  /** The address the server listens on. */
  readonly boundTo: string;
  /** Host names that clients may use, besides those of this machine. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may send requests from elsewhere. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** The next step, for errors: how to allow a host or an origin. Default: none. */
  readonly advice?: {
    readonly host?: (name: string) => string;
    readonly origin?: (origin: string) => string;
  };
}

/**
 * Keeps web pages out. A page can make a browser call any address by a host name of its own (DNS rebinding), so the
 * Host header must name this server; and a request from a page of another origin is refused whatever it asks.
 */
export interface HostGuard {
  host(header: string | undefined): void;
  /** True if the origin is another site that was allowed: the response then needs CORS headers. */
  origin(header: string | undefined, host: string | undefined): boolean;
}

export function createHostGuard(options: HostGuardOptions): HostGuard {
  const { boundTo, allowedHosts = [], allowedOrigins = [], advice = {} } = options;
  const isLocal = isLoopback(boundTo);
  const own = ["localhost", "127.0.0.1", "::1", boundTo, ...(isLocal ? [] : [machineName()])];
  const names = new Set([...own, ...allowedHosts].map(urlHost));
  return {
    host(header) {
      const name = hostOf(header);
      // An address cannot be rebound. On loopback there is no reason to be called by another one.
      if (name !== undefined && (names.has(name) || (!isLocal && isAddress(name)))) return;
      const hint = name === undefined ? undefined : advice.host?.(name);
      throw new GuardError(
        "forbidden_host",
        `Host '${header ?? ""}' is not served here${hint === undefined ? "" : `. ${hint}`}`,
      );
    },
    origin(header, host) {
      if (header === undefined) return false;
      if (allowedOrigins.includes(header)) return true;
      if (isSameHost(header, host)) return false;
      const hint = advice.origin?.(header);
      throw new GuardError(
        "forbidden_origin",
        `Requests from pages of '${header}' are not allowed${hint === undefined ? "" : `. ${hint}`}`,
      );
    },
  };
}

/** The host name of a Host header, without the port. */
function hostOf(header: string | undefined): string | undefined {
  if (header === undefined || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname, pathname, username, search, hash } = new URL(`http://${header}`);
  const isPlain = pathname === "/" && username === "" && search === "" && hash === "";
  return isPlain && hostname !== "" && !header.endsWith("/") ? hostname : undefined;
}

function isAddress(name: string): boolean {
  return isIP(name) === 4 || (name.startsWith("[") && name.endsWith("]"));
}

/** The scheme may differ: a TLS proxy in front changes it, and the host was checked already. */
function isSameHost(origin: string, host: string | undefined): boolean {
  if (host === undefined || !URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== "http:" && page.protocol !== "https:") return false;
  const called = `${page.protocol}//${host}`;
  return URL.canParse(called) && page.host === new URL(called).host;
}
