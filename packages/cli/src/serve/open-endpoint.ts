import type { IncomingMessage } from "node:http";
import { createHostGuard, createToken, createTokenCheck, isLoopback, RateLimiter } from "@mci-ts/http-guard";
import type { Server } from "@modelcontextprotocol/server";
import manifest from "../../package.json" with { type: "json" };
import { escapeControls } from "../print/escape-controls.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HttpOptions } from "./http.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { ServeOptions } from "./options.ts";
import type { ReloadableClient } from "./reloadable-client.ts";

/** Default number of requests per second for each remote client. */
const RATE_LIMIT = 100;

/** Opens standard input and output, or HTTP with its access control. */
export async function openEndpoint(
  client: ReloadableClient,
  options: ServeOptions,
  page?: HttpOptions["page"],
): Promise<Endpoint> {
  const { context, http, watch } = options;
  const log = (text: string) => context.stderr.write(`${text}\n`);
  const onError = (error: Error) => log(`error: ${escapeControls(error.message)}`);
  const newServer = (): Server => {
    const { name = "mci", version = manifest.version, description } = client.metadata;
    const identity = { name, version };
    return createMcpServer(client, { identity, instructions: description, listChanged: watch });
  };

  if (http === undefined) {
    const { serveStdio } = await import("./stdio.ts");
    return serveStdio({ context, newServer, onError });
  }
  const token = options.token ?? (isLoopback(http.host) ? undefined : createToken());
  const guard = createGuard(http.host, token, options);
  const { serveHttp } = await import("./http.ts");
  const endpoint = await serveHttp({
    ...http,
    guard,
    newServer,
    inputSchemaOf: (tool) => client.pages.find(tool)?.listed.inputSchema,
    listChanged: watch,
    page,
    onError,
  });
  if (token !== undefined && options.token === undefined)
    log(`Other machines can reach the server, so clients must send: Authorization: Bearer ${token}`);
  return endpoint;
}

/** Host, Origin, rate limit and token, in this order. */
function createGuard(
  host: string,
  token: string | undefined,
  { allowedHosts = [], rateLimit }: ServeOptions,
): (request: IncomingMessage) => void {
  const hosts = createHostGuard({
    boundTo: host,
    allowedHosts,
    // Behind a proxy that changes the Host header, pages of an allowed host are still known by their origin.
    allowedOrigins: allowedHosts.flatMap((name) => [`http://${name}`, `https://${name}`]),
    advice: { host: (name) => `If it is yours, start the server with --allow-host ${name}` },
  });
  const perSecond = rateLimit ?? RATE_LIMIT;
  const rate = new RateLimiter({
    perSecond,
    burst: perSecond * 2,
    limitsLoopback: rateLimit !== undefined,
    description: `${perSecond} a second`,
  });
  const checkToken = createTokenCheck(token, { realm: "mci" });
  return ({ headers, socket: { remoteAddress = "" } }) => {
    hosts.host(headers.host);
    hosts.origin(headers.origin, headers.host);
    rate.consume(remoteAddress);
    checkToken(headers.authorization);
  };
}
