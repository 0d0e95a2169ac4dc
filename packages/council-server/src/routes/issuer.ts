import { RESOURCE_METADATA_PATH } from "@mci-ts/http-guard";
import type { Config } from "../config/config.ts";
import type { Authentication } from "../http/authenticate.ts";
import { defineRoute, jsonResponse, type Route } from "../http/route.ts";

/** What a client needs to log in, before it has a token. */
export function issuerRoutes({ server }: Authentication, { http }: Config): Route[] {
  const metadata = (path: string): Route =>
    defineRoute({
      method: "get",
      path: `${RESOURCE_METADATA_PATH}${path}`,
      summary: "Where tokens for this service come from (RFC 9728)",
      public: true,
      responses: {
        200: { description: "The metadata document.", content: { "application/json": undefined } },
      },
      handle: (c) =>
        jsonResponse(server.metadata({ host: c.req.header("host"), path: "/mcp" }), 200, {
          "access-control-allow-origin": "*",
        }),
    });
  return [
    metadata(""),
    metadata("/mcp"),
    defineRoute({
      method: "get",
      path: "/console/login.json",
      summary: "How the web console logs in",
      public: true,
      responses: {
        200: {
          description:
            "The issuer's addresses and the console's client; without a client only a token is taken.",
          content: { "application/json": undefined },
        },
        503: { description: "The issuer does not respond." },
      },
      async handle() {
        const { consoleClient, audience, scope, adminScope } = http.issuer!;
        if (consoleClient === undefined) return jsonResponse({});
        const found = await server.issuerMetadata().catch(() => undefined);
        if (found?.authorization_endpoint === undefined || found.token_endpoint === undefined)
          return jsonResponse({ error: "The issuer does not respond" }, 503, { "retry-after": "5" });
        return jsonResponse({
          issuer: found.issuer,
          authorization_endpoint: found.authorization_endpoint,
          token_endpoint: found.token_endpoint,
          client_id: consoleClient,
          resource: audience,
          scope: [scope, adminScope].filter(Boolean).join(" "),
        });
      },
    }),
  ];
}
