import { createServer } from "node:http";
import Provider from "oidc-provider";
import { listen } from "../servers.ts";

/** A real authorization server. Of clients that are machines each is a subject of its own. */
export interface TestIssuer {
  readonly issuer: string;
  /** A token for the audience, as a JWT or one that only the issuer understands. */
  token(
    client: string,
    options: { audience: string; scope?: string; format?: "jwt" | "opaque" },
  ): Promise<string>;
  close(): Promise<void>;
}

/** Clients `ann`, `bob` and `rs`, each with the secret `secret`; `rs` may ask about tokens. People log in through `console`. */
export async function startIssuer(scopes: readonly string[]): Promise<TestIssuer> {
  const server = createServer();
  const { url: issuer } = await listen(server, () => {});
  let format: "jwt" | "opaque" = "jwt";
  const provider = new Provider(issuer, {
    clients: [
      ...["ann", "bob", "rs"].map((client_id) => ({
        client_id,
        client_secret: "secret",
        grant_types: ["client_credentials"],
        redirect_uris: [],
        response_types: [] as [],
        scope: scopes.join(" "),
      })),
      {
        client_id: "console",
        application_type: "native",
        token_endpoint_auth_method: "none",
        redirect_uris: ["http://127.0.0.1/"],
      },
    ],
    scopes: [...scopes],
    cookies: { keys: ["only for tests"] },
    features: {
      clientCredentials: { enabled: true },
      introspection: { enabled: true, allowedPolicy: async (_, client) => client.clientId === "rs" },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_, audience) => ({
          scope: scopes.join(" "),
          audience,
          accessTokenTTL: 600,
          accessTokenFormat: format,
          jwt: { sign: { alg: "RS256" } },
        }),
      },
    },
    // Opaque tokens of machines have no subject of their own.
    extraTokenClaims: (_, token) => {
      const sub = ("accountId" in token ? token.accountId : undefined) ?? token.clientId;
      return { sub, email: `${sub}@example.com` };
    },
  });
  server.on("request", provider.callback());
  return {
    issuer,
    async token(client, { audience, scope, format: wanted = "jwt" }) {
      format = wanted;
      const response = await fetch(`${issuer}/token`, {
        method: "POST",
        headers: { authorization: `Basic ${Buffer.from(`${client}:secret`).toString("base64")}` },
        body: new URLSearchParams({
          grant_type: "client_credentials",
          resource: audience,
          ...(scope !== undefined && { scope }),
        }),
      });
      const body = (await response.json()) as { access_token?: string };
      if (body.access_token === undefined) throw new Error(JSON.stringify(body));
      return body.access_token;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
