import { createHash } from "node:crypto";
import { DpopSession, type FetchLike, generateDpopKeyPair, withDpop } from "@modelcontextprotocol/client";
import type { DpopKey, LoginTokens } from "../../login/login-store.ts";

/*
 * Tokens that are of use only together with a key (DPoP, RFC 9449, SEP-1932). They are asked for where the server itself says that it wants
 * them: an authorization server may offer them for servers that would refuse them.
 */

/** The only algorithm that every implementation of DPoP has. */
export const DPOP_ALGORITHM = "ES256";
const CURVE = { name: "ECDSA", namedCurve: "P-256" };

/** Where the token of a request may be bound to a key. */
export interface BoundTokens {
  /** What signs the token that was given out last; undefined if it needs no signature. */
  dpop?(): Promise<{ readonly session: DpopSession; readonly token: string } | undefined>;
}

/** A key for one login; stored with its tokens, because they do not outlive it. */
export async function createDpopKey(): Promise<DpopKey> {
  const { privateKey } = await generateDpopKeyPair({ alg: DPOP_ALGORITHM, extractable: true });
  const { x = "", y = "", d = "" } = await crypto.subtle.exportKey("jwk", privateKey);
  return { kty: "EC", crv: "P-256", x, y, d };
}

export async function openDpopSession({ d, ...publicJwk }: DpopKey): Promise<DpopSession> {
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("jwk", { ...publicJwk, d }, CURVE, false, ["sign"]),
    crypto.subtle.importKey("jwk", publicJwk, CURVE, true, ["verify"]),
  ]);
  const { kty, crv, x, y } = publicJwk;
  // RFC 7638: the required members in the order of their names.
  const thumbprint = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  return DpopSession.create({
    keyPair: { privateKey, publicKey, publicJwk: { kty, crv, x, y }, thumbprint, alg: DPOP_ALGORITHM },
  });
}

/** Whether a server that refuses a request wants such a token. */
export function asksForDpop({ headers }: Response): boolean {
  return /(?:^|,)\s*dpop(?:\s|$|,)/i.test(headers.get("www-authenticate") ?? "");
}

export const isDpop = ({ token_type, dpopKey }: LoginTokens): boolean =>
  dpopKey !== undefined && token_type.toLowerCase() === "dpop";

/** Requests to the server, with a proof for each where its token needs one. */
export function withProofs(fetch: FetchLike, tokens: BoundTokens | undefined): FetchLike {
  if (tokens?.dpop === undefined) return fetch;
  const bound = () => tokens.dpop!();
  return withDpop(
    async () => (await bound())?.session,
    async () => (await bound())?.token,
  )(fetch);
}
