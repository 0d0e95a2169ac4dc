import {
  type AuthProvider,
  auth,
  ClientCredentialsProvider,
  CrossAppAccessProvider,
  computeScopeUnion,
  type DpopSession,
  discoverOAuthServerInfo,
  extractWWWAuthenticateParams,
  type OAuthClientProvider,
  OAuthError,
  PrivateKeyJwtProvider,
  refreshAuthorization,
  requestJwtAuthorizationGrant,
  resourceUrlFromServerUrl,
} from "@modelcontextprotocol/client";
import { type Login, type LoginTokens, secretsOf } from "../../login/login-store.ts";
import { FINAL_ERRORS, isExpiring, toTokens } from "../../login/tokens.ts";
import { asksForDpop, type BoundTokens, isDpop, openDpopSession } from "./dpop.ts";
import { LoginRequiredError } from "./login-required.ts";
import type { Challenge, LoginTarget } from "./login-target.ts";

export interface TokenSource extends AuthProvider, BoundTokens {
  /** Obtains a token for more scopes, where no person is needed for that. */
  widen?(challenge: Challenge): Promise<void>;
}

/**
 * The tokens of one MCP server, for its transport: stored ones, renewed when they expire or are refused; those of machines are
 * requested. Nothing here waits for a person: that is `performLogin`, and without one `LoginRequiredError`.
 */
export function tokenSource(target: LoginTarget): TokenSource {
  const { flow = "authorizationCode" } = target.settings;
  return flow === "authorizationCode" ? storedTokens(target) : machineTokens(target, machineProvider(target));
}

export const resourceOf = (url: URL): string => resourceUrlFromServerUrl(url).href;

/** The login of a target that was saved last. */
export async function latestLogin({ url, options, onSecret }: LoginTarget): Promise<Login | undefined> {
  const resource = resourceOf(url);
  const latest = (await options.store.list()).find((login) => login.resource === resource);
  if (latest !== undefined) secretsOf(latest).forEach(onSecret);
  return latest;
}

/** The metadata of the server's authorization server, from where its refusal says that it is. */
export function discoverServer(
  { url, fetch }: LoginTarget,
  { resourceMetadataUrl }: Challenge,
): ReturnType<typeof discoverOAuthServerInfo> {
  return discoverOAuthServerInfo(url, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    fetchFn: fetch,
  });
}

function storedTokens(target: LoginTarget): TokenSource {
  let used: string | undefined;
  let bound: LoginTokens | undefined;
  // One for each key: it remembers what the server wants to see in the next proof.
  const sessions = new Map<string, Promise<DpopSession>>();
  return {
    async dpop() {
      if (bound?.dpopKey === undefined) return undefined;
      const { dpopKey, access_token: token } = bound;
      const session = sessions.get(dpopKey.d) ?? openDpopSession(dpopKey);
      sessions.set(dpopKey.d, session);
      return { session: await session, token };
    },
    async token() {
      let login = await latestLogin(target);
      // A renewal that fails is reported where the server refuses the old token.
      if (login?.tokens && isExpiring(login.tokens) && login.tokens.refresh_token)
        login = await renew(target, login.tokens.access_token, {}).catch(() => login);
      used = login?.tokens?.access_token;
      bound = login?.tokens && isDpop(login.tokens) ? login.tokens : undefined;
      return used;
    },
    async onUnauthorized({ response }) {
      await renew(target, used, challengeOf(response));
    },
  };
}

function challengeOf(response: Response): Challenge {
  const { resourceMetadataUrl, scope } = extractWWWAuthenticateParams(response);
  return { resourceMetadataUrl, scope, ...(asksForDpop(response) && { wantsDpop: true }) };
}

/**
 * A new token for one that was refused. One call of one process does it for all that wait: the others find the new token. The
 * metadata is read again, because the server may have moved to another authorization server, which must not get the old one's token.
 */
async function renew(target: LoginTarget, refused: string | undefined, challenge: Challenge): Promise<Login> {
  const { options, url, fetch } = target;
  return options.store.exclusively(resourceOf(url), async () => {
    const login = await latestLogin(target);
    if (login?.tokens && login.tokens.access_token !== refused) return login;
    if (!login?.tokens?.refresh_token) throw new LoginRequiredError(target, challenge);
    const found = await discoverServer(target, challenge);
    const { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata } = found;
    if ((metadata?.issuer ?? authorizationServerUrl) !== login.issuer)
      throw new LoginRequiredError(target, challenge);
    const { dpopKey } = login.tokens;
    try {
      const tokens = await refreshAuthorization(authorizationServerUrl, {
        ...(dpopKey && { dpop: await openDpopSession(dpopKey) }),
        ...(metadata && { metadata }),
        clientInformation: login.client,
        refreshToken: login.tokens.refresh_token,
        resource: resourceMetadata?.resource ?? resourceOf(url),
        fetchFn: fetch,
      });
      const renewed = { ...login, tokens: toTokens(tokens, dpopKey), savedAt: Date.now() };
      secretsOf(renewed).forEach(target.onSecret);
      // Before it is used: a process that ends here has the token that the server now expects.
      await options.store.save(renewed);
      return renewed;
    } catch (error) {
      if (!(error instanceof OAuthError) || !FINAL_ERRORS.includes(error.code)) throw error;
      const { tokens: _, ...rest } = login;
      await options.store.save({ ...rest, savedAt: Date.now() });
      throw new LoginRequiredError(target, challenge, { cause: error });
    }
  });
}

/** A token that the program itself obtains, as often as it needs; nothing of it is stored. */
function machineTokens(target: LoginTarget, provider: OAuthClientProvider): TokenSource {
  let granted: string | undefined;
  let pending: Promise<unknown> | undefined;
  const request = ({ resourceMetadataUrl, scope }: Challenge) => {
    granted = computeScopeUnion(granted, scope, target.settings.scopes?.join(" "));
    return auth(provider, {
      serverUrl: target.url,
      ...(resourceMetadataUrl && { resourceMetadataUrl }),
      ...(granted !== undefined && { scope: granted }),
      fetchFn: target.fetch,
    });
  };
  return {
    async token() {
      const token = (await provider.tokens())?.access_token;
      if (token !== undefined) target.onSecret(token);
      return token;
    },
    onUnauthorized: ({ response }) => shared(challengeOf(response)),
    widen: shared,
  };

  /** Calls that are refused at the same time share one request. */
  async function shared(challenge: Challenge): Promise<void> {
    pending ??= request(challenge).finally(() => {
      pending = undefined;
    });
    await pending;
  }
}

function machineProvider(target: LoginTarget): OAuthClientProvider {
  const { settings, fetch } = target;
  const { clientId, clientSecret, privateKey, issuer, assertion, identityProvider: idp } = settings;
  const scope = settings.scopes?.join(" ");
  const need = (value: string | undefined, setting: string) => {
    if (value) return value;
    throw new LoginRequiredError(target, {}, { missing: `auth.${setting}` });
  };
  // Without it, the server would choose who gets the client's credentials.
  const expectedIssuer = need(issuer, "issuer");
  const common = { clientName: "mci", expectedIssuer, ...(scope && { scope }) };
  if (settings.flow === "enterprise")
    return new CrossAppAccessProvider({
      ...common,
      clientId: need(clientId, "clientId"),
      clientSecret: need(clientSecret, "clientSecret"),
      fetchFn: fetch,
      assertion: async ({ authorizationServerUrl, resourceUrl, scope: wanted }) => {
        const { jwtAuthGrant } = await requestJwtAuthorizationGrant({
          tokenEndpoint: need(idp?.tokenUrl, "identityProvider.tokenUrl"),
          clientId: need(idp?.clientId, "identityProvider.clientId"),
          ...(idp?.clientSecret && { clientSecret: idp.clientSecret }),
          idToken: need(assertion, "assertion"),
          audience: authorizationServerUrl,
          resource: resourceUrl,
          ...(wanted !== undefined && { scope: wanted }),
          fetchFn: fetch,
        });
        return jwtAuthGrant;
      },
    });
  if (settings.flow === "jwtBearer") return workloadProvider(need(assertion, "assertion"), settings, scope);
  return privateKey
    ? new PrivateKeyJwtProvider({
        ...common,
        clientId: need(clientId, "clientId"),
        privateKey,
        algorithm: settings.algorithm ?? "ES256",
      })
    : new ClientCredentialsProvider({
        ...common,
        clientId: need(clientId, "clientId"),
        clientSecret: need(clientSecret, "clientSecret"),
      });
}

/** RFC 7523: the token of a workload instead of a secret of the client. */
function workloadProvider(
  assertion: string,
  { clientId, issuer }: LoginTarget["settings"],
  scope: string | undefined,
): OAuthClientProvider {
  let tokens: Awaited<ReturnType<OAuthClientProvider["tokens"]>>;
  return {
    redirectUrl: undefined,
    clientMetadata: {
      client_name: "mci",
      redirect_uris: [],
      grant_types: [JWT_BEARER],
      ...(scope && { scope }),
    },
    clientInformation: () => ({ client_id: clientId ?? "", issuer: issuer! }),
    tokens: () => tokens,
    saveTokens: (saved) => {
      tokens = saved;
    },
    redirectToAuthorization() {},
    saveCodeVerifier() {},
    codeVerifier: () => "",
    addClientAuthentication: (_headers, params) => {
      if (clientId !== undefined) params.set("client_id", clientId);
    },
    prepareTokenRequest: (wanted) =>
      new URLSearchParams({ grant_type: JWT_BEARER, assertion, ...(wanted && { scope: wanted }) }),
  };
}

const JWT_BEARER = "urn:ietf:params:oauth:grant-type:jwt-bearer";
