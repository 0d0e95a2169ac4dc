import { RESOURCE_METADATA_PATH, type ResourceServer } from "@mci-ts/http-guard";
import { z } from "zod";
import type { Config, IssuerConfig } from "../config/config.ts";
import type { Authentication } from "../http/access/authenticate.ts";
import { exchangeCode } from "../http/access/exchange-code.ts";
import { defineRoute, failure, jsonResponse, type Route } from "../http/route.ts";
import { ServiceError } from "../service-error.ts";

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
  const { consoleClient } = http.issuer!;
  return [
    ...(consoleClient === undefined ? [] : [consoleLogin(server, consoleClient, http.issuer!)]),
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

const LoginAnswer = z
  .strictObject({
    code: z.string().min(1).max(4096),
    code_verifier: z.string().regex(/^[\w.~-]{43,128}$/),
    redirect_uri: z.url({ protocol: /^https?$/ }).max(2000),
  })
  .meta({ id: "LoginAnswer" });

/** The page may send nothing to other hosts, so the service exchanges its code; only the page knows the verifier. */
function consoleLogin(server: ResourceServer, clientId: string, { audience }: IssuerConfig): Route {
  return defineRoute({
    method: "post",
    path: "/console/login",
    summary: "End a login of the web console",
    public: "limited",
    body: LoginAnswer,
    responses: {
      200: { description: "A token of the issuer.", content: { "application/json": undefined } },
      401: failure("The issuer refused the code."),
      503: failure("The issuer does not respond."),
    },
    async handle(c, _, { code, code_verifier, redirect_uri }) {
      // The page is at the address that the request came to: another page cannot end a login of its own here.
      if (new URL(redirect_uri).host !== c.req.header("host"))
        throw new ServiceError("invalid_request", "redirect_uri must be an address of this service");
      const form = { code, code_verifier, redirect_uri, client_id: clientId, resource: audience };
      return jsonResponse(await exchangeCode(server, form), 200, { "cache-control": "no-store" });
    },
  });
}
