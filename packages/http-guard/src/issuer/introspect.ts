import { createHash } from "node:crypto";
import { issuerFetch } from "./issuer-fetch.ts";

/** The client that may ask the issuer about tokens. */
export interface IntrospectionClient {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A response counts this long: a revoked token works no longer than that. */
const CACHE_MS = 15_000;
const MAX_CACHED = 1000;

type Claims = Readonly<Record<string, unknown>>;

/** RFC 7662: what the issuer says about a token that says nothing itself; undefined if it is not, or no longer, valid. */
export function createIntrospection(
  client: IntrospectionClient,
): (token: string, endpoint: string) => Promise<Claims | undefined> {
  const cache = new Map<string, { readonly claims: Promise<Claims | undefined>; readonly until: number }>();
  return async (token, endpoint) => {
    const key = createHash("sha256").update(token).digest("base64");
    const cached = cache.get(key);
    if (cached !== undefined && cached.until > Date.now()) return cached.claims;
    if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value!);
    const claims = ask(token, endpoint, client);
    cache.delete(key);
    cache.set(key, { claims, until: Date.now() + CACHE_MS });
    claims.catch(() => cache.delete(key));
    return claims;
  };
}

async function ask(
  token: string,
  endpoint: string,
  { clientId, clientSecret }: IntrospectionClient,
): Promise<Claims | undefined> {
  const credentials = `${encodeURIComponent(clientId)}:${encodeURIComponent(clientSecret)}`;
  const response = await issuerFetch(endpoint, {
    method: "POST",
    headers: {
      accept: "application/json",
      authorization: `Basic ${Buffer.from(credentials).toString("base64")}`,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: new URLSearchParams({ token, token_type_hint: "access_token" }).toString(),
  });
  if (!response.ok) throw new Error(`its introspection responded with status ${response.status}`);
  const claims: unknown = await response.json();
  if (typeof claims !== "object" || claims === null) throw new Error("its introspection is not JSON");
  return (claims as Claims)["active"] === true ? (claims as Claims) : undefined;
}
