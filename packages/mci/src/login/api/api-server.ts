import { parseJson } from "@mci-ts/primitives/parse-json";
import type * as OAuth from "oauth4webapi";
import { ToolError } from "../../errors.ts";
import type { ProxyRules } from "../../proxy/settings.ts";
import { type LoginFetch, openLoginFetch } from "../login-fetch.ts";
import type { ApiLogin } from "./api-login.ts";

/** The authorization server of a login while something is asked of it. */
export interface ApiServer {
  readonly oauth: typeof OAuth;
  readonly metadata: OAuth.AuthorizationServer;
  readonly client: OAuth.Client;
  readonly clientAuth: OAuth.ClientAuth;
  /** Options of every request to it. */
  readonly request: {
    readonly [OAuth.customFetch]: (url: string, init: RequestInit) => Promise<Response>;
    readonly [OAuth.allowInsecureRequests]: boolean;
    readonly signal?: AbortSignal;
  };
}

export interface ApiServerOptions {
  readonly proxy: ProxyRules | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Where the addresses are not those of the file: reaches what they may lead to. Default: what the file names is trusted. */
  readonly fetch?: LoginFetch["fetch"] | undefined;
}

/** Reads the server's metadata, where the file names an issuer; addresses of the file win. */
export async function withApiServer<T>(
  login: ApiLogin,
  { proxy, signal, fetch: given }: ApiServerOptions,
  work: (server: ApiServer) => Promise<T>,
): Promise<T> {
  const oauth = await import("oauth4webapi");
  const { issuer, authorizationUrl, tokenUrl, deviceAuthorizationUrl, resource } = login;
  const named = [issuer, authorizationUrl, tokenUrl, deviceAuthorizationUrl].filter(
    (url) => url !== undefined,
  );
  const { fetch, close } = given
    ? { fetch: given, close: async () => {} }
    : await openLoginFetch({ trusted: [resource, ...named], proxy, ...(signal && { signal }) });
  // A file may name a server without TLS; metadata may not lead to one.
  const isInsecure = named.some((url) => new URL(url).protocol === "http:");
  const request = {
    [oauth.customFetch]: async (url: string, init: RequestInit) => lenient(await fetch(url, init)),
    [oauth.allowInsecureRequests]: isInsecure,
    ...(signal && { signal }),
  };
  try {
    const found = login.hasMetadata ? await discover(oauth, issuer, request) : { issuer };
    const metadata: OAuth.AuthorizationServer = {
      ...found,
      ...(authorizationUrl && { authorization_endpoint: authorizationUrl }),
      ...(tokenUrl && { token_endpoint: tokenUrl }),
      ...(deviceAuthorizationUrl && { device_authorization_endpoint: deviceAuthorizationUrl }),
    };
    const client = { client_id: login.clientId };
    return await work({ oauth, metadata, client, clientAuth: clientAuth(oauth, login, metadata), request });
  } catch (error) {
    throw explained(oauth, error, login);
  } finally {
    await close();
  }
}

/** RFC 8414 first, then OpenID Connect; a document of another issuer is refused by both. */
async function discover(
  oauth: typeof OAuth,
  issuer: string,
  request: ApiServer["request"],
): Promise<OAuth.AuthorizationServer> {
  const read = async (algorithm: "oauth2" | "oidc") => {
    const response = await oauth.discoveryRequest(new URL(issuer), { ...request, algorithm });
    return oauth.processDiscoveryResponse(new URL(issuer), response);
  };
  return read("oauth2").catch(() => read("oidc"));
}

function clientAuth(
  oauth: typeof OAuth,
  { clientSecret }: ApiLogin,
  { token_endpoint_auth_methods_supported: methods }: OAuth.AuthorizationServer,
): OAuth.ClientAuth {
  if (clientSecret === undefined) return oauth.None();
  const isBasicOnly = methods?.includes("client_secret_basic") && !methods.includes("client_secret_post");
  return isBasicOnly ? oauth.ClientSecretBasic(clientSecret) : oauth.ClientSecretPost(clientSecret);
}

/** Servers are lenient with the standard; what is missing or misspelt is put right here before it is checked. */
async function lenient(response: Response): Promise<Response> {
  const text = await response.text();
  const json = parseJson(text);
  const { status, headers } = response;
  // What is not JSON is reported by the check of the response.
  if (typeof json !== "object" || json === null || !("access_token" in json))
    return new Response(text === "" ? null : text, { status, headers });
  const token = json as Record<string, unknown>;
  token["token_type"] ??= "bearer";
  if (token["expires_in"] === null || Number(token["expires_in"]) <= 0) delete token["expires_in"];
  if (token["refresh_token"] === null) delete token["refresh_token"];
  if (typeof token["scope"] !== "string") delete token["scope"];
  // Says who logged in, which is only shown; its signature is of no use here.
  if (typeof token["id_token"] === "string") {
    token["mci_id_token"] = token["id_token"];
    delete token["id_token"];
  }
  return new Response(JSON.stringify(token), { status, headers: { "content-type": "application/json" } });
}

/** Characters of a server's explanation. */
const MAX_DETAIL = 300;

function explained(oauth: typeof OAuth, error: unknown, { name, issuer }: ApiLogin): unknown {
  if (error instanceof ToolError) return error;
  if (error instanceof DOMException) return error;
  const message =
    error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError
      ? [error.error, error.error_description].filter(Boolean).join(": ")
      : (error as Error).message;
  const reason = (error as { cause?: { message?: string } }).cause?.message;
  const detail = message === "fetch failed" && reason !== undefined ? reason : message;
  return new ToolError(
    "auth_failed",
    `The login '${name}' failed at ${issuer}: ${detail.slice(0, MAX_DETAIL)}`,
    {
      cause: error,
    },
  );
}
