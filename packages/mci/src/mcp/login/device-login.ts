import { computeScopeUnion, registerClient, resourceUrlFromServerUrl } from "@modelcontextprotocol/client";
import { performApiLogin } from "../../login/api/perform-api-login.ts";
import type { LoginWay } from "../../login/login-options.ts";
import type { LoginClient } from "../../login/login-store.ts";
import { McpError } from "../errors.ts";
import type { Challenge, LoginTarget } from "./login-target.ts";
import { discoverServer, latestLogin, resourceOf } from "./token-source.ts";

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";

/** A person logs in to a server with a code on another device, where its authorization server offers that. */
export async function performDeviceLogin(
  target: LoginTarget,
  challenge: Challenge,
  way: LoginWay,
): Promise<void> {
  const { url, fetch, name, settings, options } = target;
  const found = await discoverServer(target, challenge);
  const { authorizationServerMetadata: metadata, authorizationServerUrl, resourceMetadata } = found;
  const endpoint = (metadata as { device_authorization_endpoint?: unknown } | undefined)
    ?.device_authorization_endpoint;
  if (metadata === undefined || typeof endpoint !== "string")
    throw new McpError("refused", "its authorization server has no login with a device code; try --paste");
  const { issuer } = metadata;
  if (settings.issuer !== undefined && settings.issuer !== issuer)
    throw new McpError(
      "refused",
      `its authorization server is ${issuer}, not the issuer that the file names`,
    );
  const before = await latestLogin(target);
  const scope = computeScopeUnion(
    challenge.scope ?? resourceMetadata?.scopes_supported?.join(" "),
    settings.scopes?.join(" "),
    before?.missingScope,
  );
  const client = await clientOf();
  const login = await performApiLogin(
    {
      ...{ name, flow: "deviceCode", issuer, hasMetadata: false, resource: resourceOf(url) },
      ...{ clientId: client.client_id, clientSecret: client.client_secret, scopes: [], parameters: {} },
      tokenUrl: metadata.token_endpoint,
      deviceAuthorizationUrl: endpoint,
      indicator: resourceMetadata?.resource ?? resourceUrlFromServerUrl(url).href,
    },
    // The addresses are the server's: they are reached as far as its own metadata may lead.
    { ...way, onAuthorize: undefined, scope, options, proxy: undefined, fetch },
  );
  for (const secret of [login.tokens?.access_token, login.tokens?.refresh_token])
    if (secret !== undefined) target.onSecret(secret);
  await options.store.exclusively(login.resource, () => options.store.save({ ...login, client }));

  /** The file's own client, its metadata document, an earlier registration, or a new one. */
  async function clientOf(): Promise<LoginClient> {
    const { clientId, clientSecret } = settings;
    if (clientId !== undefined)
      return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) };
    const document = settings.clientMetadataUrl ?? options.clientMetadataUrl;
    const takesDocuments = (metadata as { client_id_metadata_document_supported?: unknown })
      .client_id_metadata_document_supported;
    if (document !== undefined && takesDocuments === true) return { client_id: document };
    // One that was registered for a browser may not use device codes.
    if (before?.issuer === issuer && before.client.redirect_uri === undefined) return before.client;
    const registered = await registerClient(authorizationServerUrl, {
      metadata: metadata!,
      clientMetadata: {
        client_name: "mci",
        redirect_uris: [],
        response_types: [],
        grant_types: [DEVICE_CODE, "refresh_token"],
        token_endpoint_auth_method: "none",
      },
      ...(scope !== undefined && { scope }),
      fetchFn: fetch,
    });
    const { client_id, client_secret, client_secret_expires_at } = registered;
    return {
      client_id,
      ...(client_secret !== undefined && { client_secret }),
      ...(client_secret_expires_at !== undefined && { client_secret_expires_at }),
    };
  }
}
