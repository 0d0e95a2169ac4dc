/** Who sends a request, as the issuer of its token says. */
export interface Caller {
  readonly sub: string;
  readonly scopes: readonly string[];
  /** Everything that the token says. */
  readonly claims: Readonly<Record<string, unknown>>;
  /** The token itself, to be exchanged for another one. Never shown, and not for templates. */
  readonly token: string;
}

/** Scopes are one text (`scope`) or, at some issuers, a list (`scp`, `scopes`). */
export function scopesOf(claims: Readonly<Record<string, unknown>>): string[] {
  const claim = claims["scope"] ?? claims["scp"] ?? claims["scopes"];
  const list = typeof claim === "string" ? claim.split(" ") : Array.isArray(claim) ? claim : [];
  return [...new Set(list.filter((scope) => typeof scope === "string" && scope !== ""))] as string[];
}
