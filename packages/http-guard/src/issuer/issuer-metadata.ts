import { issuerFetch } from "./issuer-fetch.ts";

/** What a resource server needs to know of its issuer. */
export interface IssuerMetadata {
  readonly issuer: string;
  readonly jwks_uri?: string;
  readonly introspection_endpoint?: string;
  readonly authorization_endpoint?: string;
  readonly token_endpoint?: string;
}

const REREAD_MS = 60 * 60_000;
/** An issuer that cannot be reached is asked again after this time, not with every request. */
const RETRY_MS = 2000;

/** The issuer's metadata, read with the first request and again from time to time. */
export function issuerMetadata(issuer: string): () => Promise<IssuerMetadata> {
  let cached: { readonly metadata: Promise<IssuerMetadata>; readonly until: number } | undefined;
  return async () => {
    if (cached !== undefined && cached.until > Date.now()) return cached.metadata;
    const before = cached;
    const metadata = read(issuer).catch((error: unknown) => {
      cached = { metadata: before?.metadata ?? Promise.reject(error), until: Date.now() + RETRY_MS };
      cached.metadata.catch(() => {});
      return cached.metadata;
    });
    cached = { metadata, until: Date.now() + REREAD_MS };
    return metadata;
  };
}

/** RFC 8414 puts its path before that of the issuer, OpenID Connect after it. */
export function metadataUrls(issuer: string): string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, "");
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}/.well-known/openid-configuration${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ].filter((url, index, all) => all.indexOf(url) === index);
}

async function read(issuer: string): Promise<IssuerMetadata> {
  let reason: unknown = new Error("it has no metadata");
  for (const url of metadataUrls(issuer)) {
    try {
      const response = await issuerFetch(url);
      if (response.ok) return readMetadata(await response.json(), issuer);
      reason = new Error(`its metadata responded with status ${response.status}`);
    } catch (error) {
      reason = error;
    }
  }
  throw reason;
}

const ADDRESSES = ["jwks_uri", "introspection_endpoint", "authorization_endpoint", "token_endpoint"] as const;

/** Throws for a document of another issuer, or one that leads from https to http. */
export function readMetadata(document: unknown, issuer: string): IssuerMetadata {
  const fields = (typeof document === "object" && document !== null ? document : {}) as Record<
    string,
    unknown
  >;
  if (fields["issuer"] !== issuer) throw new Error("its metadata names another issuer");
  const protocols = issuer.startsWith("https:") ? ["https:"] : ["https:", "http:"];
  const addresses = ADDRESSES.flatMap((name) => {
    const address = fields[name];
    if (address === undefined || address === null) return [];
    const url = typeof address === "string" ? URL.parse(address) : null;
    if (url === null || !protocols.includes(url.protocol) || url.username !== "")
      throw new Error(`its metadata has a ${name} that cannot be used`);
    return [[name, url.href]];
  });
  return { issuer, ...Object.fromEntries(addresses) };
}
