import { randomBytes } from "node:crypto";
import {
  auth,
  computeScopeUnion,
  type DpopSession,
  isStrictScopeSuperset,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  validateAuthorizationResponseIssuer,
} from "@modelcontextprotocol/client";
import { accountOf } from "../../login/account.ts";
import { requireBrowserAddress } from "../../login/browser-address.ts";
import { DEFAULT_REDIRECT_URL, type OnAuthorize } from "../../login/login-options.ts";
import { type DpopKey, type Login, type LoginClient, secretsOf } from "../../login/login-store.ts";
import { toTokens } from "../../login/tokens.ts";
import { McpError } from "../errors.ts";
import { createDpopKey, DPOP_ALGORITHM, openDpopSession } from "./dpop.ts";
import { LoginRequiredError } from "./login-required.ts";
import type { Challenge, LoginTarget } from "./login-target.ts";
import { latestLogin, resourceOf } from "./token-source.ts";

/**
 * A person logs in to a server: authorization code with PKCE. The client's identity is that of the file, else its metadata document,
 * else what an earlier login or dynamic registration gave it.
 */
export async function performLogin(
  target: LoginTarget,
  challenge: Challenge,
  onAuthorize: OnAuthorize,
): Promise<void> {
  const { url, fetch, name, settings, options } = target;
  const before = await latestLogin(target);
  const attempt = new LoginAttempt(target, before, challenge);
  const wanted = settings.scopes?.join(" ");
  const scope = challenge.isStepUp
    ? computeScopeUnion(before?.tokens?.scope, wanted, challenge.scope)
    : computeScopeUnion(challenge.scope, wanted, before?.missingScope);
  const request = {
    serverUrl: url,
    fetchFn: fetch,
    ...(challenge.resourceMetadataUrl && { resourceMetadataUrl: challenge.resourceMetadataUrl }),
    ...(scope !== undefined && { scope }),
  };
  await explained(auth(attempt, { ...request, forceReauthorization: true }));
  const { authorizationUrl } = attempt;
  if (authorizationUrl === undefined) throw new McpError("unavailable", "its login began without an address");
  requireBrowserAddress(authorizationUrl);
  const returned = await onAuthorize(authorizationUrl, {
    ...{ name, resource: resourceOf(url) },
    issuer: attempt.issuer,
  });
  if (returned === undefined) throw new LoginRequiredError(target, challenge);
  const { code, iss } = attempt.read(returned);
  await explained(auth(attempt, { ...request, authorizationCode: code, ...(iss !== undefined && { iss }) }));
  const tokens = attempt.granted;
  if (tokens === undefined) throw new McpError("unavailable", "its login ended without a token");
  const isNarrower = isStrictScopeSuperset(challenge.scope, tokens.scope ?? challenge.scope);
  const account = accountOf(tokens.id_token);
  const login: Login = {
    ...{ name, resource: resourceOf(url), issuer: attempt.issuer, clientId: attempt.client.client_id },
    ...(account !== undefined && { account }),
    client: attempt.client,
    tokens: toTokens(tokens, await attempt.dpopKey),
    savedAt: Date.now(),
    ...(isNarrower && challenge.scope !== undefined && { missingScope: challenge.scope }),
  };
  secretsOf(login).forEach(target.onSecret);
  await options.store.exclusively(resourceOf(url), () => options.store.save(login));
}

/** The SDK's view of one login: what it needs between its two halves. Nothing is stored before there is a token. */
class LoginAttempt implements OAuthClientProvider {
  authorizationUrl: URL | undefined;
  granted: StoredOAuthTokens | undefined;
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
  readonly #target: LoginTarget;
  readonly #before: Login | undefined;
  readonly #challenge: Challenge;
  readonly #state = randomBytes(32).toString("base64url");
  #verifier = "";
  #discovery: OAuthDiscoveryState | undefined;
  #client: StoredOAuthClientInformation | undefined;
  dpopKey: Promise<DpopKey> | undefined;
  #session: Promise<DpopSession> | undefined;

  constructor(target: LoginTarget, before: Login | undefined, challenge: Challenge) {
    const { settings, options } = target;
    this.#target = target;
    this.#before = before;
    this.#challenge = challenge;
    this.redirectUrl = settings.redirectUri ?? options.redirectUrl ?? DEFAULT_REDIRECT_URL;
    const document = settings.clientMetadataUrl ?? options.clientMetadataUrl;
    if (document !== undefined) this.clientMetadataUrl = document;
  }

  get clientMetadata() {
    return {
      client_name: "mci",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
    };
  }

  get issuer(): string {
    return (
      this.#discovery?.authorizationServerMetadata?.issuer ?? this.#discovery?.authorizationServerUrl ?? ""
    );
  }

  get client(): LoginClient {
    const { client_id, client_secret } = this.#client!;
    const { client_secret_expires_at, token_endpoint_auth_method } = this.#client as LoginClient;
    return {
      client_id,
      redirect_uri: this.redirectUrl,
      ...(client_secret !== undefined && { client_secret }),
      ...(client_secret_expires_at !== undefined && { client_secret_expires_at }),
      ...(token_endpoint_auth_method !== undefined && { token_endpoint_auth_method }),
    };
  }

  /** The code of the address that the browser came back to. An answer to another login is refused, whatever it says. */
  read(returned: string | URL): { code: string; iss: string | undefined } {
    const parameters = new URL(returned).searchParams;
    if (parameters.get("state") !== this.#state)
      throw new McpError("unavailable", "the browser came back from another login; try again");
    const iss = parameters.get("iss") ?? undefined;
    const code = parameters.get("code");
    if (code) return { code, iss };
    const metadata = this.#discovery?.authorizationServerMetadata;
    // What the address says may come from another server: it is shown only if the issuer is right.
    validateAuthorizationResponseIssuer({
      iss,
      expectedIssuer: metadata?.issuer,
      issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
    });
    const description = [parameters.get("error"), parameters.get("error_description")]
      .filter(Boolean)
      .join(": ");
    throw new McpError(
      "unavailable",
      `the login was refused${description && `: ${description.slice(0, MAX_SAID)}`}`,
    );
  }

  /** For a server that wants it now, or wanted it for the tokens before. */
  async dpop(): Promise<DpopSession | undefined> {
    const isWanted = this.#challenge.wantsDpop || this.#before?.tokens?.dpopKey !== undefined;
    const { dpop_signing_alg_values_supported: algorithms = [] } = (this.#discovery
      ?.authorizationServerMetadata ?? {}) as { dpop_signing_alg_values_supported?: readonly string[] };
    if (!isWanted || !algorithms.includes(DPOP_ALGORITHM)) return undefined;
    this.dpopKey ??= createDpopKey();
    this.#session ??= this.dpopKey.then(openDpopSession);
    return this.#session;
  }

  state(): string {
    return this.#state;
  }

  clientInformation(
    { issuer }: { issuer: string } = { issuer: "" },
  ): StoredOAuthClientInformation | undefined {
    const { clientId, clientSecret, issuer: expected } = this.#target.settings;
    if (clientId !== undefined)
      this.#client = {
        client_id: clientId,
        ...(clientSecret !== undefined && { client_secret: clientSecret }),
        // The server must not send the file's client to another authorization server than the one it first named.
        issuer: expected ?? (this.#before?.clientId === clientId ? this.#before.issuer : issuer),
      };
    this.#client ??= this.#registered(issuer);
    return this.#client;
  }

  /** What an earlier login was registered as. A client that was registered for fewer scopes is registered again. */
  #registered(issuer: string): StoredOAuthClientInformation | undefined {
    const { client, issuer: knownIssuer } = this.#before ?? {};
    if (client === undefined || knownIssuer !== issuer || this.#challenge.isStepUp) return undefined;
    const { client_secret_expires_at: expires = 0 } = client;
    const isExpired = expires > 0 && expires * 1000 < Date.now();
    if (isExpired || client.redirect_uri !== this.redirectUrl) return undefined;
    return { ...client, issuer } as StoredOAuthClientInformation;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }

  /** A login begins without a token: the SDK would renew an old one. */
  tokens(): undefined {
    return undefined;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    this.granted = tokens;
    this.#target.onSecret(tokens.access_token);
    if (tokens.refresh_token !== undefined) this.#target.onSecret(tokens.refresh_token);
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url;
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }

  codeVerifier(): string {
    return this.#verifier;
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state;
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery;
  }
}

/** Characters of a server's explanation. */
const MAX_SAID = 300;

async function explained<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof McpError) throw error;
    const reason = (error instanceof Error ? error.message : String(error)).slice(0, MAX_SAID);
    throw new McpError("unavailable", `its login failed: ${reason}`, { cause: error });
  }
}
