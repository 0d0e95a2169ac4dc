import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "../../errors.ts";
import { accountOf } from "../account.ts";
import { requireBrowserAddress } from "../browser-address.ts";
import {
  DEFAULT_REDIRECT_URL,
  type LoginOptions,
  type LoginResource,
  type LoginWay,
  loginCommand,
  type OnAuthorize,
  type OnDeviceCode,
} from "../login-options.ts";
import type { Login } from "../login-store.ts";
import { toTokens } from "../tokens.ts";
import type { ApiLogin } from "./api-login.ts";
import { type ApiServer, type ApiServerOptions, withApiServer } from "./api-server.ts";

interface Attempt extends LoginWay, ApiServerOptions {
  readonly scope: string | undefined;
  readonly options: LoginOptions;
}

type TokenResponse = Parameters<typeof toTokens>[0] & { readonly [name: string]: unknown };

/** A person logs in to an API: authorization code with PKCE, or a device code. */
export async function performApiLogin(target: ApiLogin, attempt: Attempt): Promise<Login> {
  const { onAuthorize, onDeviceCode, options } = attempt;
  const usesDevice =
    onDeviceCode !== undefined && (target.flow === "deviceCode" || onAuthorize === undefined);
  if (!usesDevice && (onAuthorize === undefined || target.flow === "deviceCode"))
    throw new ToolError("login_required", `needs login: ${loginCommand(target.name, options)}`);
  return withApiServer(target, attempt, async (server) => {
    const response = usesDevice
      ? await withDeviceCode(target, server, attempt, onDeviceCode)
      : await withBrowser(target, server, attempt, onAuthorize!);
    const account = accountOf(response["mci_id_token"] as string | undefined);
    const { name, issuer, clientId, resource } = target;
    return {
      ...{ name, issuer, clientId, resource },
      ...(account !== undefined && { account }),
      client: { client_id: clientId },
      // A server that says nothing granted what was asked for.
      tokens: toTokens({ ...response, scope: response.scope ?? attempt.scope }),
      savedAt: Date.now(),
    };
  });
}

const shownOf = ({ name, resource, issuer }: ApiLogin): LoginResource => ({ name, resource, issuer });

async function withBrowser(
  target: ApiLogin,
  server: ApiServer,
  { scope, options }: Attempt,
  onAuthorize: OnAuthorize,
): Promise<TokenResponse> {
  const { oauth, metadata, client, clientAuth, request } = server;
  const { authorization_endpoint: endpoint } = metadata;
  if (endpoint === undefined) throw missingEndpoint(target, "authorizationUrl");
  const [verifier, state] = [oauth.generateRandomCodeVerifier(), oauth.generateRandomState()];
  const redirectUri = target.redirectUri ?? options.redirectUrl ?? DEFAULT_REDIRECT_URL;
  const address = new URL(endpoint);
  const parameters = {
    ...target.parameters,
    response_type: "code",
    client_id: target.clientId,
    redirect_uri: redirectUri,
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    ...(scope !== undefined && { scope }),
    ...(target.indicator !== undefined && { resource: target.indicator }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  requireBrowserAddress(address);
  const returned = await onAuthorize(address, shownOf(target));
  if (returned === undefined)
    throw new ToolError("login_required", `needs login: ${loginCommand(target.name, options)}`);
  const answer = new URL(returned).searchParams;
  if (answer.get("state") !== state)
    throw new ToolError("auth_failed", "The browser came back from another login. Try again.");
  // Without an issuer in the file there is nothing that the answer's could be compared with.
  if (!target.hasMetadata) answer.delete("iss");
  const code = oauth.validateAuthResponse(metadata, client, answer, state);
  const response = await oauth.authorizationCodeGrantRequest(
    ...([metadata, client, clientAuth, code, redirectUri, verifier] as const),
    {
      ...request,
      ...(target.indicator !== undefined && { additionalParameters: { resource: target.indicator } }),
    },
  );
  return oauth.processAuthorizationCodeResponse(metadata, client, response);
}

/** A server may ask for any interval; more than this is not waited between two questions. */
const MAX_INTERVAL_SECONDS = 60;

async function withDeviceCode(
  target: ApiLogin,
  server: ApiServer,
  { scope, signal }: Attempt,
  onDeviceCode: OnDeviceCode,
): Promise<TokenResponse> {
  const { oauth, metadata, client, clientAuth, request } = server;
  if (metadata.device_authorization_endpoint === undefined)
    throw missingEndpoint(target, "deviceAuthorizationUrl");
  const parameters = {
    ...target.parameters,
    ...(scope !== undefined && { scope }),
    ...(target.indicator !== undefined && { resource: target.indicator }),
  };
  const response = await oauth.deviceAuthorizationRequest(metadata, client, clientAuth, parameters, request);
  const device = await oauth.processDeviceAuthorizationResponse(metadata, client, response);
  const expiresAt = Date.now() + device.expires_in * 1000;
  const complete = device.verification_uri_complete;
  const address = new URL(device.verification_uri);
  requireBrowserAddress(address);
  await onDeviceCode(
    {
      userCode: device.user_code,
      verificationUrl: address,
      ...(complete !== undefined && { completeUrl: new URL(complete) }),
      expiresAt,
    },
    shownOf(target),
  );
  let seconds = device.interval ?? 5;
  while (Date.now() < expiresAt) {
    await sleep(Math.min(seconds, MAX_INTERVAL_SECONDS) * 1000, undefined, { signal });
    try {
      const response = await oauth.deviceCodeGrantRequest(
        ...([metadata, client, clientAuth, device.device_code] as const),
        request,
      );
      return await oauth.processDeviceCodeResponse(metadata, client, response);
    } catch (error) {
      const code = error instanceof oauth.ResponseBodyError ? error.error : undefined;
      if (code === "slow_down") seconds += 5;
      else if (code !== "authorization_pending") throw error;
    }
  }
  throw new ToolError("auth_failed", "The code has expired before it was used. Log in again.");
}

function missingEndpoint({ name, issuer }: ApiLogin, setting: string): ToolError {
  return new ToolError(
    "auth_failed",
    `The login '${name}' cannot begin: the metadata of ${issuer} has no such address. Set auth.${setting}.`,
  );
}
