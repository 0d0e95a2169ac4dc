import { createRemoteJWKSet, customFetch, errors, jwtVerify } from "jose";
import { issuerFetch } from "./issuer-fetch.ts";

/** Signatures with the issuer's public key. None with a shared secret: whoever checks such a token could make one. */
const ALGORITHMS = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Seconds that the clocks of issuer and server may differ. */
const CLOCK_TOLERANCE = 30;
/** A key that is not known is looked up again, but no more often than this: made-up key ids cost the issuer nothing. */
const COOLDOWN_MS = 10_000;
const KEYS_TTL_MS = 10 * 60_000;

export interface JwtOptions {
  readonly issuer: string;
  readonly audience: string;
}

export type VerifyJwt = (token: string) => Promise<Readonly<Record<string, unknown>>>;

/** The token is not a valid one of this issuer for this audience. */
export class InvalidTokenError extends Error {}

export function createJwtVerifier(jwksUri: string, { issuer, audience }: JwtOptions): VerifyJwt {
  const keys = createRemoteJWKSet(new URL(jwksUri), {
    cooldownDuration: COOLDOWN_MS,
    cacheMaxAge: KEYS_TTL_MS,
    [customFetch]: issuerFetch,
  });
  return async (token) => {
    try {
      const { payload } = await jwtVerify(token, keys, {
        issuer,
        audience,
        algorithms: ALGORITHMS,
        clockTolerance: CLOCK_TOLERANCE,
        requiredClaims: ["exp", "sub"],
      });
      return payload;
    } catch (error) {
      if (!isAboutToken(error)) throw error;
      throw new InvalidTokenError(reasonOf(error), { cause: error });
    }
  };
}

/** The token is not at fault for keys that cannot be fetched. */
function isAboutToken(error: unknown): error is errors.JOSEError {
  return (
    error instanceof errors.JOSEError &&
    !(error instanceof errors.JWKSTimeout) &&
    !(error instanceof errors.JWKSInvalid) &&
    error.code !== "ERR_JOSE_GENERIC"
  );
}

/** Says what is wrong, and nothing of what the token holds. */
function reasonOf(error: errors.JOSEError): string {
  if (error instanceof errors.JWTExpired) return "the token has expired";
  if (error instanceof errors.JWTClaimValidationFailed) {
    if (error.claim === "aud") return "the token is for another audience";
    if (error.claim === "iss") return "the token is from another issuer";
    return `the claim ${error.claim} of the token is missing or wrong`;
  }
  if (error instanceof errors.JWKSNoMatchingKey) return "the token is signed with an unknown key";
  if (error instanceof errors.JWSSignatureVerificationFailed) return "the signature of the token is wrong";
  if (error instanceof errors.JOSEAlgNotAllowed) return "the algorithm of the token is not allowed";
  return "the token is malformed";
}
