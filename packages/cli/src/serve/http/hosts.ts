import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import { hostname as machineName } from "node:os";
import type { HttpError } from "./error.ts";

const LOOPBACK = ["localhost", "127.0.0.1", "[::1]"];

export type Check = (request: IncomingMessage) => HttpError | undefined;

/**
 * Keeps web pages out. A page may make a browser call any address by a name of its own (DNS rebinding), so the name it
 * was called by must be one of ours; and a request that a page of another origin makes is refused whatever it asks.
 */
export function hostCheck(boundTo: string, allowed: readonly string[] = []): Check {
  const own = isLoopback(boundTo) ? LOOPBACK : [...LOOPBACK, machineName()];
  const names = new Set([...own, boundTo, ...allowed].map(bracketed));
  // An address cannot be rebound. On loopback there is no reason to be called by another one.
  const isOurs = (name: string) => names.has(name) || (!isLoopback(boundTo) && isAddress(name));
  return ({ headers: { host = "", origin } }) => {
    const name = hostname(`http://${host}`);
    if (name === undefined || !isOurs(name)) {
      const remedy = name === undefined ? "" : ` If it is yours, start the server with --allow-host ${name}`;
      return { status: 403, message: `Host '${host}' is not served here.${remedy}` };
    }
    if (origin === undefined) return undefined;
    const page = hostname(origin);
    return page !== undefined && names.has(page)
      ? undefined
      : { status: 403, message: `Requests from pages of '${origin}' are not allowed` };
  };
}

/** Whether only this machine can reach what is bound there. */
export function isLoopback(host: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[?::1\]?|\[?::ffff:127(\.\d+){3}\]?)$/i.test(host);
}

/** As it stands in a URL. */
export function bracketed(host: string): string {
  return isIP(host) === 6 ? `[${host}]` : host.toLowerCase();
}

function isAddress(name: string): boolean {
  return isIP(name) === 4 || (name.startsWith("[") && name.endsWith("]"));
}

function hostname(url: string): string | undefined {
  const name = URL.canParse(url) ? new URL(url).hostname : "";
  return name === "" ? undefined : name;
}
