import { GuardError } from "../error.ts";
import { type Caller, scopesOf } from "./caller.ts";
import type { IntrospectionClient } from "./introspect.ts";
import { type IssuerMetadata, issuerMetadata } from "./issuer-metadata.ts";
import type { VerifyJwt } from "./verify-jwt.ts";

/*
 * Serving behind an issuer (OAuth 2 resource server, RFC 9728 and 6750):
 *
 *   Authorization -Bearer-> JWT: signature, issuer, audience, time | opaque: introspection -> Caller
 */

export interface ResourceServerOptions {
  /** The authorization server whose tokens count. */
  readonly issuer: string;
  /** What tokens must be for. */
  readonly audience: string;
  /** Scopes that clients may ask for; in the metadata and in challenges. Default: none are named. */
  readonly scopes?: readonly string[];
  /** For tokens that are not JWTs. Default: such tokens are refused. */
  readonly introspection?: IntrospectionClient;
  /** What the server is called in challenges. */
  readonly realm: string;
  /** Called where the issuer cannot be reached. */
  readonly onError?: (error: Error) => void;
}

/** Where a request arrived, for addresses in metadata and challenges. */
export interface RequestPlace {
  readonly host: string | undefined;
  readonly path: string;
}

export interface ResourceServer {
  /** Who sends the request. Throws `GuardError`. */
  authenticate(authorization: string | undefined, place: RequestPlace): Promise<Caller>;
  /** The metadata document (RFC 9728) of what is served at `place`. */
  metadata(place: RequestPlace): object;
  /** Refuses a caller that lacks one of these scopes. */
  insufficientScope(scopes: readonly string[], place: RequestPlace): GuardError;
  /** The issuer's own metadata, for a page that logs in there. */
  issuerMetadata(): Promise<IssuerMetadata>;
}

/** The metadata is at this path, followed by that of the resource. */
export const RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource";

/** Longer than any token that fits into a request's headers. */
const MAX_TOKEN = 16_384;

export function createResourceServer(options: ResourceServerOptions): ResourceServer {
  const { issuer, audience, scopes = [], realm, introspection, onError } = options;
  const readIssuer = issuerMetadata(issuer);
  const resource = (place: RequestPlace) =>
    URL.canParse(audience) && /^https?:/.test(audience) ? audience : `${originOf(place)}${place.path}`;
  const jwts = new Map<string, Promise<VerifyJwt>>();
  let introspect: ReturnType<typeof loadIntrospection> | undefined;

  async function claimsOf(token: string): Promise<Readonly<Record<string, unknown>>> {
    const { jwks_uri: keys, introspection_endpoint: endpoint } = await readIssuer();
    if (isJwt(token)) {
      if (keys === undefined) throw new Error("its metadata has no jwks_uri");
      // Loaded with the first token: what serves without an issuer never needs it. The issuer may move its keys.
      if (!jwts.has(keys)) jwts.clear();
      const verify = jwts.get(keys) ?? loadVerifier(keys, { issuer, audience });
      jwts.set(keys, verify);
      return (await verify)(token);
    }
    const { InvalidTokenError } = await import("./verify-jwt.ts");
    if (introspection === undefined) throw new InvalidTokenError("the token is not a JWT");
    if (endpoint === undefined) throw new Error("its metadata has no introspection_endpoint");
    introspect ??= loadIntrospection(introspection);
    const claims = await (await introspect)(token, endpoint);
    if (claims === undefined) throw new InvalidTokenError("the token is not valid, or no longer");
    checkIntrospected(claims, options, (reason) => new InvalidTokenError(reason));
    return claims;
  }

  function challenge(
    place: RequestPlace,
    more: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const fields = {
      realm,
      ...more,
      ...(scopes.length > 0 && more["scope"] === undefined && { scope: scopes.join(" ") }),
      resource_metadata: metadataUrl(resource(place)),
    };
    const text = Object.entries(fields).map(([name, value]) => `${name}="${quotable(value)}"`);
    return { "www-authenticate": `Bearer ${text.join(", ")}` };
  }

  return {
    async authenticate(authorization, place) {
      const [, token] = /^Bearer +([!-~]+)$/i.exec(authorization ?? "") ?? [];
      if (token === undefined)
        throw new GuardError("unauthorized", `A token of ${issuer} is required`, {
          headers: challenge(place),
        });
      const invalid = (reason: string, cause?: unknown) =>
        new GuardError("unauthorized", `The token was refused: ${reason}`, {
          headers: challenge(place, { error: "invalid_token", error_description: reason }),
          cause,
        });
      if (token.length > MAX_TOKEN) throw invalid("the token is too long");
      try {
        const claims = await claimsOf(token);
        const { sub } = claims;
        if (typeof sub !== "string" || sub === "") throw invalid("the token has no subject");
        return { sub, scopes: scopesOf(claims), claims, token };
      } catch (error) {
        if (error instanceof GuardError) throw error;
        const { InvalidTokenError } = await import("./verify-jwt.ts");
        if (error instanceof InvalidTokenError) throw invalid(error.message, error);
        onError?.(
          new Error(`The issuer ${issuer} cannot be used: ${(error as Error).message}`, { cause: error }),
        );
        throw new GuardError(
          "issuer_unavailable",
          "The token cannot be checked now: its issuer does not respond",
          {
            headers: { "retry-after": "5" },
            cause: error,
          },
        );
      }
    },
    metadata: (place) => ({
      resource: resource(place),
      authorization_servers: [issuer],
      bearer_methods_supported: ["header"],
      ...(scopes.length > 0 && { scopes_supported: scopes }),
    }),
    insufficientScope: (needed, place) =>
      new GuardError("insufficient_scope", `The token needs one of the scopes ${needed.join(", ")}`, {
        headers: challenge(place, { error: "insufficient_scope", scope: needed.join(" ") }),
      }),
    issuerMetadata: readIssuer,
  };
}

async function loadVerifier(keys: string, options: { issuer: string; audience: string }): Promise<VerifyJwt> {
  const { createJwtVerifier } = await import("./verify-jwt.ts");
  return createJwtVerifier(keys, options);
}

async function loadIntrospection(client: IntrospectionClient) {
  const { createIntrospection } = await import("./introspect.ts");
  return createIntrospection(client);
}

/** Signatures say all this of a JWT; here it is the issuer who says it. */
function checkIntrospected(
  claims: Readonly<Record<string, unknown>>,
  { issuer, audience }: ResourceServerOptions,
  invalid: (reason: string) => Error,
): void {
  const { iss, aud, exp } = claims;
  if (iss !== undefined && iss !== issuer) throw invalid("the token is from another issuer");
  if (![aud].flat().includes(audience)) throw invalid("the token is for another audience");
  if (typeof exp === "number" && exp * 1000 < Date.now() - CLOCK_TOLERANCE_MS)
    throw invalid("the token has expired");
}

const CLOCK_TOLERANCE_MS = 30_000;

/** The shape of a signed token: whether it is one shows when it is checked. */
const isJwt = (token: string) => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(token);

/** The Host header was checked before. Behind a proxy with TLS, the audience should be the public address. */
const originOf = ({ host }: RequestPlace) => `http://${host ?? "localhost"}`;

/** RFC 9728 puts its path before that of the resource. */
function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${RESOURCE_METADATA_PATH}${pathname === "/" ? "" : pathname}`;
}

/** What a quoted text of a header can hold. */
const quotable = (value: string) => value.replace(/[^\x20-\x7E]|["\\]/g, "");
