import { ToolError } from "../../errors.ts";
import type { HttpAgent } from "./agent.ts";
import { networkError } from "./errors.ts";
import type { ObserveWire } from "./exchange.ts";
import { withoutHeaders } from "./headers.ts";
import type { HttpRequest, Method } from "./request.ts";
import { type RawResponse, sendRequest } from "./transport.ts";

const MAX_REDIRECTS = 5;

/** Headers that say nothing about who asks. Only these go along to another origin. */
const CROSS_ORIGIN_SAFE =
  /^(?:accept(?:-charset|-encoding|-language)?|cache-control|content-(?:type|language|encoding)|pragma|range|user-agent)$/;

/**
 * Sends a request and follows its redirects. No credential goes to another origin: only headers that say
 * nothing about the sender, no API key or env value in the query, no body with env values. Another origin must be public, unless the tool
 * allows private networks, or it is the author's own host that redirects and is private itself: it may know its
 * neighbours.
 */
export async function followRedirects(
  request: HttpRequest,
  agent: HttpAgent,
  signal: AbortSignal,
  maxBytes: number,
  observe?: ObserveWire,
): Promise<RawResponse> {
  const { target, allowPrivateNetwork } = request;
  const secrets = request.secrets.map(String).filter((value) => !isOriginPart(value, target.origin));
  let { method, path, headers, body } = request;
  let origin = target.origin;
  let displayUrl = target.displayUrl;
  const alwaysPublicOnly = target.callerHost && !allowPrivateNetwork;
  let publicOnly = alwaysPublicOnly;
  /** A public server had a say in where this goes. */
  let leftTrustedOrigin = false;

  for (let redirects = 0; ; redirects++) {
    let response: RawResponse;
    const wire = { method, origin, path, headers, body, publicOnly };
    const startedAt = observe && Date.now();
    try {
      response = await sendRequest(agent, wire, signal, maxBytes);
      await observe?.(wire, startedAt!, { response });
    } catch (error) {
      await observe?.(wire, startedAt!, { error });
      throw networkError(error, method, displayUrl, redirects > 0);
    }
    const location = locationOf(response);
    if (location === undefined) return response;
    if (redirects === MAX_REDIRECTS)
      throw redirectError(
        `${displayUrl} redirects once more after ${MAX_REDIRECTS} redirects. Is it a loop?`,
      );

    const next = URL.canParse(location, origin + path) ? new URL(location, origin + path) : undefined;
    if (next?.protocol !== "http:" && next?.protocol !== "https:") {
      throw redirectError(`${displayUrl} redirects to something that is not an http:// or https:// address.`);
    }
    if (becomesGet(response.status, method)) {
      method = "GET";
      body = undefined;
      headers = withoutHeaders(headers, (name) => name.startsWith("content-"));
    }
    if (next.origin !== origin) {
      if (body !== undefined && request.secretBody) {
        throw redirectError(
          `${displayUrl} redirects to another origin, ${next.origin}, and the body, which holds secrets, is not sent there. Use the new address in the tool's url.`,
        );
      }
      headers = withoutHeaders(
        headers,
        (name, value) => !CROSS_ORIGIN_SAFE.test(name) || holdsSecret(value, secrets),
      );
      dropSecrets(next.searchParams, secrets);
      leftTrustedOrigin ||= !allowPrivateNetwork && !(origin === target.origin && agent.wasPrivate(origin));
    }
    origin = next.origin;
    path = next.pathname + next.search;
    // A public server may send back to the author's own request, but not choose another path in a private network.
    const isOwnRequest = origin === target.origin && path === request.path;
    publicOnly = alwaysPublicOnly || (leftTrustedOrigin && !isOwnRequest);
    displayUrl = next.origin + next.pathname;
  }
}

/** Header bytes beyond ASCII are UTF-8. */
function locationOf({ status, headers }: RawResponse): string | undefined {
  if (status !== 301 && status !== 302 && status !== 303 && status !== 307 && status !== 308)
    return undefined;
  const location = headers["location"];
  const first = Array.isArray(location) ? location[0] : location;
  return first === undefined ? undefined : Buffer.from(first, "latin1").toString("utf8");
}

function becomesGet(status: number, method: Method): boolean {
  if (status === 303) return method !== "GET" && method !== "HEAD";
  return (status === 301 || status === 302) && method === "POST";
}

/** Servers like to copy the query into the location. */
function dropSecrets(query: URLSearchParams, secrets: readonly string[]): void {
  for (const [name, value] of [...query]) {
    if (holdsSecret(value, secrets) || holdsSecret(name, secrets)) query.delete(name, value);
  }
}

/** Whether it is one of them or has one in it; short ones are in anything. */
function holdsSecret(value: string, secrets: readonly string[]): boolean {
  return secrets.some((secret) => (secret.length >= MIN_PART ? value.includes(secret) : secret === value));
}

const MIN_PART = 4;

/** Where the request goes is not a secret, though it may come from env; nor is nothing. */
function isOriginPart(value: string, origin: string): boolean {
  return value === "" || (value.length >= MIN_PART && origin.includes(value.replace(/\/$/, "")));
}

function redirectError(message: string): ToolError {
  return new ToolError("http_redirect", message);
}
