import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { ToolError } from "../../../errors.ts";
import type { HttpAgent } from "../agent.ts";
import { decodeBody } from "../content-encoding.ts";
import { networkError } from "../errors.ts";
import { RetryableError, retryAfterMs } from "../retry.ts";
import { type RawResponse, sendRequest } from "../transport.ts";
import type { Token, TokenRequest } from "./token-cache.ts";

const MAX_TOKEN_BYTES = 1024 * 1024;

/** Characters of the server's explanation in a message. */
const MAX_DETAIL = 300;

const TOKEN_EXCHANGE = "urn:ietf:params:oauth:grant-type:token-exchange";
const ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token";

interface TokenOptions {
  readonly allowPrivateNetwork: boolean;
  readonly mask: (text: string) => string;
}

/** Client credentials, or an exchange of the caller's token: asks the token endpoint, the client's secret in the form. No redirects. */
export async function fetchToken(
  { target, clientId, clientSecret, scope, exchange }: TokenRequest,
  agent: HttpAgent,
  signal: AbortSignal,
  { allowPrivateNetwork, mask }: TokenOptions,
): Promise<Token> {
  const oauth = await import("oauth4webapi");
  const server = { issuer: target.origin, token_endpoint: target.origin + target.path };
  const client = { client_id: clientId };
  const parameters: Record<string, string> = scope === "" ? {} : { scope };
  const publicOnly = target.callerHost && !allowPrivateNetwork;

  const customFetch = async (
    _url: string,
    { headers, body }: { headers: Record<string, string>; body: URLSearchParams },
  ) => {
    const { origin, path } = target;
    const list = Object.entries({ ...headers, "user-agent": "mci-ts" }).flat();
    const request = {
      method: "POST",
      origin,
      path,
      headers: list,
      body: Buffer.from(body.toString()),
      publicOnly,
    } as const;
    const response = await sendRequest(agent, request, signal, MAX_TOKEN_BYTES).catch((error) => {
      throw networkError(error, "POST", target.displayUrl, false);
    });
    return toResponse(response, target.displayUrl);
  };

  try {
    const options = { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true, signal };
    const clientAuth = clientSecret === "" ? oauth.None() : oauth.ClientSecretPost(clientSecret);
    const response = exchange
      ? await oauth.genericTokenEndpointRequest(
          ...([server, client, clientAuth, TOKEN_EXCHANGE] as const),
          {
            ...parameters,
            ...exchange.parameters,
            subject_token: exchange.subjectToken,
            subject_token_type: ACCESS_TOKEN,
            requested_token_type: ACCESS_TOKEN,
          },
          options,
        )
      : await oauth.clientCredentialsGrantRequest(server, client, clientAuth, parameters, options);
    const { access_token, expires_in } = await (exchange
      ? oauth.processGenericTokenEndpointResponse(server, client, response)
      : oauth.processClientCredentialsResponse(server, client, response));
    return { value: access_token, expiresInSeconds: expires_in };
  } catch (error) {
    if (error instanceof ToolError || error instanceof RetryableError) throw error;
    const detail =
      error instanceof oauth.ResponseBodyError
        ? [error.error, error.error_description].filter(Boolean).join(": ")
        : "its response is not a token response";
    throw tokenError(target.displayUrl, mask(detail).slice(0, MAX_DETAIL), error);
  }
}

/** Servers are lenient with the standard; what is missing or misspelt is put right here before it is checked. */
async function toResponse(response: RawResponse, displayUrl: string): Promise<Response> {
  const { status, headers } = response;
  if (status === 429 || status === 408 || status >= 500) {
    const retryAfter = headers["retry-after"];
    throw new RetryableError(
      tokenError(displayUrl, `it responded with status ${status}`),
      retryAfterMs(retryAfter === undefined ? undefined : String(retryAfter)),
    );
  }
  if (status >= 300 && status < 400)
    throw tokenError(displayUrl, "it redirects elsewhere. Use the final address as tokenUrl");
  const text = (await decodeBody(response, MAX_TOKEN_BYTES)).toString("utf8");
  const json = parseJson(text);
  if (!isObject(json))
    throw tokenError(
      displayUrl,
      `it responded with status ${status} and something that is not a JSON object`,
    );
  if (status < 300 && json["token_type"] === undefined) json["token_type"] = "bearer";
  if (json["expires_in"] === null || Number(json["expires_in"]) <= 0) delete json["expires_in"];
  if (json["refresh_token"] === null) delete json["refresh_token"];
  if (typeof json["scope"] !== "string") delete json["scope"];
  delete json["id_token"]; // No user logs in here.
  return new Response(JSON.stringify(json), {
    status: status < 300 ? 200 : status,
    headers: { "content-type": "application/json" },
  });
}

function tokenError(displayUrl: string, why: string, cause?: unknown): ToolError {
  return new ToolError(
    "auth_failed",
    `No token from ${displayUrl}: ${why}. Check tokenUrl, clientId, clientSecret and scopes.`,
    { cause },
  );
}
