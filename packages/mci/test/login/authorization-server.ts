import { createHash, createPublicKey, verify } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import Provider from "oidc-provider";
import { listen } from "../../../../test/servers.ts";

/** A real authorization server, and an MCP server with one tool that asks for its tokens. */
export interface LoginServers {
  readonly issuer: string;
  /** The MCP server. */
  readonly url: string;
  /** An API at the same server, that takes the same tokens. */
  readonly api: string;
  /** Tokens that the MCP server was sent, in order. */
  readonly seen: string[];
  /** Requests to the token endpoint, by grant. */
  readonly grants: string[];
  /** All tokens of the kind end now, as after a revocation. */
  revoke(kind: "AccessToken" | "RefreshToken"): void;
  /** Tokens that are issued from now on are good again. */
  restore(): void;
  /** Scope that a call of the tool needs. */
  neededScope: string;
  close(): Promise<void>;
}

const DEVICE_CODE = "urn:ietf:params:oauth:grant-type:device_code";
const SCOPES = "tools:read tools:write";

/** `dpop`: the authorization server can bind tokens to keys; "required": the MCP server takes only such tokens. */
export async function startLoginServers({
  accessTokenSeconds = 3600,
  dpop,
}: {
  accessTokenSeconds?: number;
  dpop?: "offered" | "required";
} = {}): Promise<LoginServers> {
  const revoked = new Set<string>();
  const mcp = createServer();
  const authorization = createServer();
  const { url: resource } = await listen(mcp, () => {});
  const { url: issuer } = await listen(authorization, () => {});
  const url = `${resource}/mcp`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: "api-client",
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/callback"],
        grant_types: ["authorization_code", "refresh_token", DEVICE_CODE],
      },
    ],
    scopes: ["openid", "offline_access", ...SCOPES.split(" ")],
    features: {
      registration: { enabled: true },
      revocation: { enabled: true },
      dPoP: { enabled: dpop !== undefined },
      deviceFlow: { enabled: true, mask: "****-****" },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => url,
        useGrantedResource: () => true,
        getResourceServerInfo: (_, indicator) => ({
          scope: SCOPES,
          audience: indicator,
          accessTokenTTL: accessTokenSeconds,
          accessTokenFormat: "opaque",
        }),
      },
    },
    issueRefreshToken: async () => true,
    rotateRefreshToken: true,
    ttl: { RefreshToken: 3600, Session: 600, Grant: 3600, Interaction: 600 },
    cookies: { keys: ["only for tests"] },
    pkce: { required: () => true },
  });
  provider.on("server_error", (_, error) => console.error(error));
  const servers: LoginServers = {
    ...{ issuer, url, api: `${resource}/api`, seen: [], grants: [], neededScope: "" },
    revoke: (kind) => void revoked.add(kind),
    restore: () => revoked.clear(),
    async close() {
      for (const server of [mcp, authorization]) {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  };
  const callback = provider.callback();
  authorization.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== "/token") return callback(request, response);
    const body = Buffer.concat(await request.toArray()).toString();
    const grant = new URLSearchParams(body).get("grant_type") ?? "";
    servers.grants.push(grant);
    if (grant === "refresh_token" && revoked.has("RefreshToken")) {
      response.writeHead(400, { "content-type": "application/json" });
      return response.end('{"error":"invalid_grant"}');
    }
    return callback(Object.assign(request, { body }), response);
  });
  mcp.on("request", async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url?.startsWith("/.well-known/oauth-protected-resource"))
      return json(response, 200, {
        resource: url,
        authorization_servers: [issuer],
        scopes_supported: ["tools:read"],
      });
    const scheme = dpop === "required" ? "DPoP" : "Bearer";
    const token = new RegExp(`^${scheme} (.+)$`).exec(request.headers.authorization ?? "")?.[1];
    if (token !== undefined) servers.seen.push(token);
    const known = token === undefined ? undefined : await provider.AccessToken.find(token);
    const isProven = dpop !== "required" || (known !== undefined && isProof(request, known.jkt));
    if (known === undefined || !isProven || revoked.delete("AccessToken"))
      return challenge(response, 401, 'error="invalid_token"');
    if (request.url?.startsWith("/api")) {
      const isAllowed = servers.neededScope === "" || known.scope?.split(" ").includes(servers.neededScope);
      if (!isAllowed)
        return challenge(response, 403, `error="insufficient_scope", scope="${servers.neededScope}"`);
      return json(response, 200, { user: known.accountId });
    }
    const message = JSON.parse(Buffer.concat(await request.toArray()).toString() || "{}");
    const { neededScope } = servers;
    if (
      message.method === "tools/call" &&
      neededScope !== "" &&
      !known.scope?.split(" ").includes(neededScope)
    )
      return challenge(response, 403, `error="insufficient_scope", scope="${neededScope}"`);
    return answer(message, response);
  });
  return servers;

  function challenge(response: ServerResponse, status: number, more: string): void {
    const metadata = `${resource}/.well-known/oauth-protected-resource/mcp`;
    const scheme = dpop === "required" ? "DPoP" : "Bearer";
    response.setHeader("www-authenticate", `${scheme} resource_metadata="${metadata}", ${more}`);
    json(response, status, {});
  }
}

const proofs = new Set<string>();

/** A new proof by the key that the token is bound to. */
function isProof({ headers, method }: IncomingMessage, thumbprint: string | undefined): boolean {
  const proof = String(headers["dpop"] ?? "");
  const [header = "", payload = "", signature = ""] = proof.split(".");
  if (proof === "" || proofs.has(proof)) return false;
  proofs.add(proof);
  const { jwk } = JSON.parse(Buffer.from(header, "base64url").toString());
  const { kty, crv, x, y } = jwk;
  const own = createHash("sha256").update(JSON.stringify({ crv, kty, x, y })).digest("base64url");
  const { htm } = JSON.parse(Buffer.from(payload, "base64url").toString());
  const key = { key: createPublicKey({ key: jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" as const };
  return (
    own === thumbprint &&
    htm === method &&
    verify("sha256", Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, "base64url"))
  );
}

/** Just enough of a server of before 2026. */
function answer({ id, method }: { id?: number; method?: string }, response: ServerResponse): void {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "behind a login", version: "1" },
    },
    "tools/list": { tools: [{ name: "whoami", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "you are in" }] },
  };
  if (id === undefined) return void response.writeHead(202).end();
  const result = results[method ?? ""];
  json(response, 200, {
    jsonrpc: "2.0",
    id,
    ...(result ? { result } : { error: { code: -32_601, message: "unknown method" } }),
  });
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

/** A person in front of the login pages: gives a name, agrees, and returns the address that the browser ends at. */
export async function personLogsIn(start: URL | string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = new URL(start);
  let body: URLSearchParams | undefined;
  for (let page = 0; page < 20; page++) {
    const response = await fetch(url, {
      redirect: "manual",
      headers: { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join("; ") },
      ...(body && { method: "POST", body }),
    });
    for (const cookie of response.headers.getSetCookie()) {
      const [, name, value] = /^([^=]+)=([^;]*)/.exec(cookie)!;
      cookies.set(name!, value!);
    }
    body = undefined;
    const location = response.headers.get("location");
    if (location !== null) {
      url = new URL(location, url);
      if (url.pathname === "/callback") return url.href;
      continue;
    }
    const text = await response.text();
    if (text.includes("Sign-in Success")) return url.href;
    const action = /action="([^"]+)"/.exec(text)?.[1];
    if (action === undefined) throw new Error(`not a login page: ${response.status} ${text.slice(0, 300)}`);
    url = new URL(action, url);
    const hidden = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)].map(
      ([, name, value]) => [name!, value!] as [string, string],
    );
    body = new URLSearchParams([
      ...hidden,
      ...(text.includes('value="login"')
        ? [
            ["login", "ann"],
            ["password", "x"],
          ]
        : []),
    ] as [string, string][]);
  }
  throw new Error("the login does not end");
}
