import type { LoginTokens } from "../login-store.ts";

/** A response of a token endpoint as it is stored. One that is renewed keeps what the server did not repeat. */
export function toTokens(
  response: {
    readonly access_token: string;
    readonly token_type: string;
    readonly refresh_token?: string | undefined;
    readonly scope?: string | undefined;
    readonly expires_in?: number | undefined;
  },
  before?: LoginTokens,
): LoginTokens {
  const { access_token, token_type, expires_in } = response;
  const refresh_token = response.refresh_token ?? before?.refresh_token;
  const scope = response.scope ?? before?.scope;
  return {
    access_token,
    token_type,
    ...(refresh_token !== undefined && { refresh_token }),
    ...(scope !== undefined && { scope }),
    ...(expires_in !== undefined && { expiresAt: Date.now() + expires_in * 1000 }),
  };
}
