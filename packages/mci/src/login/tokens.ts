import type { DpopKey, LoginTokens } from "./login-store.ts";

/** Tokens are renewed before they expire, so that no call has to be sent twice. */
const EXPIRY_MARGIN_MS = 30_000;

export function isExpiring({ expiresAt }: LoginTokens): boolean {
  return expiresAt !== undefined && expiresAt - Date.now() < EXPIRY_MARGIN_MS;
}

/** Errors of a renewal after which a person has to log in again. Others may pass. */
export const FINAL_ERRORS: readonly string[] = ["invalid_grant", "invalid_client", "unauthorized_client"];

/** A response of a token endpoint as it is stored; with the key that its tokens are bound to, if there is one. */
export function toTokens(
  response: {
    readonly access_token: string;
    readonly token_type: string;
    readonly refresh_token?: string | undefined;
    readonly scope?: string | undefined;
    readonly expires_in?: number | undefined;
  },
  dpopKey?: DpopKey,
): LoginTokens {
  const { access_token, token_type, refresh_token, scope, expires_in } = response;
  return {
    access_token,
    token_type,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expiresAt: Date.now() + expires_in * 1000 }),
    ...(dpopKey && { dpopKey }),
  };
}
