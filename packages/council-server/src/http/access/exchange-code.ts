import type { ResourceServer } from "@mci-ts/http-guard";
import { ServiceError } from "../../service-error.ts";

const TIMEOUT_MS = 10_000;
const MAX_CHARS = 64 * 1024;

/** Exchanges an authorization code of a public client for an access token. No refresh token is passed on: a page has no place for one. */
export async function exchangeCode(
  server: Pick<ResourceServer, "issuerMetadata">,
  form: Readonly<Record<string, string>>,
): Promise<{ access_token: string; expires_in?: number }> {
  const answer = await request(server, form).catch((cause: unknown) => {
    throw new ServiceError("issuer_unavailable", "The issuer does not respond; try again", {
      retryAfterSeconds: 5,
      cause,
    });
  });
  const { access_token, expires_in } = answer;
  if (typeof access_token === "string" && access_token !== "")
    return { access_token, ...(typeof expires_in === "number" && { expires_in }) };
  const reason = typeof answer["error"] === "string" ? answer["error"].slice(0, 100) : "no token";
  throw new ServiceError("unauthorized", `The issuer refused the login: ${reason}`);
}

async function request(
  server: Pick<ResourceServer, "issuerMetadata">,
  form: Readonly<Record<string, string>>,
): Promise<Record<string, unknown>> {
  const { token_endpoint: endpoint } = await server.issuerMetadata();
  if (endpoint === undefined) throw new Error("the issuer's metadata has no token_endpoint");
  const response = await fetch(endpoint, {
    method: "POST",
    redirect: "error",
    headers: { accept: "application/json" },
    body: new URLSearchParams({ grant_type: "authorization_code", ...form }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  const text = await response.text();
  if (response.status >= 500 || text.length > MAX_CHARS) throw new Error(`status ${response.status}`);
  return JSON.parse(text) as Record<string, unknown>;
}
