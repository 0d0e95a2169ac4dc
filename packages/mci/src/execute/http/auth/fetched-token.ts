import type { HttpAgent } from "../agent.ts";
import { withHeader } from "../headers.ts";
import type { HttpRequest } from "../request.ts";
import type { SigningContext } from "./auth-type.ts";
import type { TokenRequest } from "./token-cache.ts";

/** The request with a token that is secret; without one, as a preview shows it. */
export function withToken(request: HttpRequest, token?: string): HttpRequest {
  return {
    ...request,
    headers: withHeader(request.headers, "Authorization", `Bearer ${token ?? "***"}`),
    secrets: token === undefined ? request.secrets : [...request.secrets, token],
  };
}

/** A token of a token endpoint, or the one that an earlier call got there. */
export async function fetchedToken(
  tokenRequest: TokenRequest,
  { allowPrivateNetwork }: HttpRequest,
  agent: HttpAgent,
  { signal, onSecret, mask }: SigningContext,
): Promise<string> {
  const { fetchToken } = await import("./oauth-token.ts");
  const token = await agent.tokens.get(tokenRequest, signal, (end) =>
    fetchToken(tokenRequest, agent, end, { mask, allowPrivateNetwork }),
  );
  onSecret(token);
  return token;
}
