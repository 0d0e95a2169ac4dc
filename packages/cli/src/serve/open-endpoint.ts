import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage } from "node:http";
import { createHostGuard, createToken, createTokenCheck, isLoopback, RateLimiter } from "@mci-ts/http-guard";
import type { Server } from "@modelcontextprotocol/server";
import manifest from "../../package.json" with { type: "json" };
import { escapeControls } from "../print/escape-controls.ts";
import { type Endpoint, MCP_PATH } from "./endpoint.ts";
import type { HttpOptions } from "./http.ts";
import { InputRelay } from "./input/input-relay.ts";
import { instructionsOf } from "./instructions.ts";
import type { CallerAccess, ServedCaller } from "./issuer/caller-access.ts";
import { createMcpServer } from "./mcp-server.ts";
import type { ServeOptions } from "./options.ts";
import type { ReloadableClient } from "./reloadable-client.ts";
import { CallTasks } from "./tasks/call-tasks.ts";
import { WatchedResources } from "./watched-resources.ts";

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
  const relay = new InputRelay();
  const tasks = new CallTasks(client);
  const watched = new WatchedResources((uris) => client.current.watchResources(uris));
  // Servers behind change their lists by themselves.
  const listChanged = watch || client.current.mcpServers().length > 0;
  // The protocol's handlers have no place for who asks; what a request starts runs within it.
  const callers = new AsyncLocalStorage<ServedCaller | undefined>();
  let isGuarded = false;
  const newServer = (): Server => {
    const { name = "mci", version = manifest.version, description = "" } = client.metadata;
    const identity = { name, version };
    const caller = callers.getStore();
    // Scopes name tools: who may use some of them gets nothing else of the servers.
    const instructions = caller?.filters === undefined ? instructionsOf(client.current).text : description;
    const options = {
      identity,
      ...(instructions !== "" && { instructions }),
      ...{ listChanged, relay, watched, caller, tasks, isGuarded },
    };
    return createMcpServer(client, options);
  };

  if (http === undefined) {
    const { serveStdio } = await import("./stdio.ts");
    return following(client, relay, tasks, serveStdio({ context, newServer, watched, onError }));
  }
  const isOpen = isLoopback(http.host) || options.issuer !== undefined;
  const token = options.token ?? (isOpen ? undefined : createToken());
  const access = options.issuer && (await openAccess(options.issuer, onError));
  isGuarded = token !== undefined || access !== undefined;
  const { check, guard } = createGuard(http.host, token, options, access);
  const { serveHttp } = await import("./http.ts");
  const endpoint = await serveHttp({
    ...http,
    guard,
    newServer,
    withCaller: (caller, work) => callers.run(caller, work),
    card: async (request, response, path) => {
      check(request, { anyOrigin: true });
      const { sendCard } = await import("./server-card.ts");
      const needsToken = token !== undefined || access !== undefined;
      const source = { identity: client.metadata, publicUrl: options.publicUrl, needsToken };
      return sendCard(request, response, path, source);
    },
    ...(access && {
      metadata: (request, path) => {
        check(request);
        return access.server.metadata({ host: request.headers.host, path: path || MCP_PATH });
      },
      authorize: (request, body, caller) => {
        const refusal = access.refusal(body, caller, client, placeOf(request));
        if (refusal !== undefined) throw refusal;
      },
    }),
    inputSchemaOf: (tool) => client.pages.find(tool)?.listed.inputSchema,
    listChanged,
    watched,
    page,
    onError,
  });
  if (token !== undefined && options.token === undefined)
    log(`Other machines can reach the server, so clients must send: Authorization: Bearer ${token}`);
  return following(client, relay, tasks, endpoint);
}

/** Tells clients what the servers behind say about changes. */
function following(
  client: ReloadableClient,
  relay: InputRelay,
  tasks: CallTasks,
  endpoint: Endpoint,
): Endpoint {
  client.onChange(({ kind, uri }) => {
    if (kind === "resource") endpoint.resourceUpdated(uri!);
    else endpoint.listChanged(kind);
  });
  const close = async () => {
    relay.close();
    await tasks.close();
    await endpoint.close();
  };
  return { ...endpoint, close };
}

/** Loaded only behind an issuer. */
async function openAccess(...args: ConstructorParameters<typeof CallerAccess>): Promise<CallerAccess> {
  const { CallerAccess } = await import("./issuer/caller-access.ts");
  return new CallerAccess(...args);
}

const placeOf = ({ headers }: IncomingMessage) => ({ host: headers.host, path: MCP_PATH });

/** Host, Origin, rate limit and token, in this order. `check` is the part before the token. */
function createGuard(
  host: string,
  token: string | undefined,
  { allowedHosts = [], rateLimit }: ServeOptions,
  access: CallerAccess | undefined,
): {
  check: (request: IncomingMessage, options?: { anyOrigin?: boolean }) => void;
  guard: HttpOptions["guard"];
} {
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
  // One person on many machines, or many behind one address.
  const subjects = new RateLimiter({ perSecond, burst: perSecond * 2, description: `${perSecond} a second` });
  const check = (
    { headers, socket: { remoteAddress = "" } }: IncomingMessage,
    { anyOrigin = false }: { readonly anyOrigin?: boolean } = {},
  ) => {
    hosts.host(headers.host);
    if (!anyOrigin) hosts.origin(headers.origin, headers.host);
    rate.consume(remoteAddress);
  };
  return {
    check,
    async guard(request) {
      check(request);
      const { authorization } = request.headers;
      if (access === undefined) return void checkToken(authorization);
      // A token that the command was given stays what it was: it allows everything.
      if (token !== undefined && passes(() => checkToken(authorization))) return undefined;
      const caller = await access.authenticate(authorization, placeOf(request));
      subjects.consume(
        process
          .getBuiltinModule("node:crypto")
          .createHash("sha256")
          .update(caller.identity.sub)
          .digest("hex"),
      );
      return caller;
    },
  };
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
