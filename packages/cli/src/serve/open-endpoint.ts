import type { Server } from "@modelcontextprotocol/server";
import manifest from "../../package.json" with { type: "json" };
import { escapeControls } from "../print/escape-controls.ts";
import type { Endpoint } from "./endpoint.ts";
import { hostCheck, isLoopback } from "./http/hosts.ts";
import { rateCheck } from "./http/rate-limit.ts";
import { newToken, tokenCheck } from "./http/token.ts";
import { createMcpServer, type McpServerOptions } from "./mcp-server.ts";
import type { ServeOptions } from "./options.ts";
import type { ReloadableClient } from "./reloadable-client.ts";

/** Default number of requests per second for each remote client. */
const RATE_LIMIT = 100;

/** Opens standard input and output, or HTTP with everything that guards it. */
export async function openEndpoint(client: ReloadableClient, options: ServeOptions): Promise<Endpoint> {
  const { context, http, watch } = options;
  const say = (text: string) => context.stderr.write(`${text}\n`);
  const onError = (error: Error) => say(`error: ${escapeControls(error.message)}`);
  const newServer = (more: Pick<McpServerOptions, "onAllCancelled"> = {}): Server => {
    const { name = "mci", version = manifest.version, description } = client.metadata;
    const identity = { name, version };
    return createMcpServer(client, { identity, instructions: description, listChanged: watch, ...more });
  };

  if (http === undefined) {
    const { serveStdio } = await import("./stdio/stdio.ts");
    return serveStdio({ context, newServer, onError });
  }
  const token = options.token ?? (isLoopback(http.host) ? undefined : newToken());
  const { rateLimit = RATE_LIMIT } = options;
  const rate = { perSecond: rateLimit, countsLoopback: options.rateLimit !== undefined };
  const checks = [
    hostCheck(http.host, options.allowedHosts),
    ...(rateLimit === 0 ? [] : [rateCheck(rate)]),
    ...(token === undefined ? [] : [tokenCheck(token)]),
  ];
  const { serveHttp } = await import("./http/http.ts");
  const endpoint = await serveHttp({ ...http, checks, newServer, listChanged: watch, onError });
  if (token !== undefined && options.token === undefined)
    say(
      `Others than this machine can reach the server, so clients must send: Authorization: Bearer ${token}`,
    );
  return endpoint;
}
