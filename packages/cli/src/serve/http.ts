import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  BodyReader,
  GuardError,
  ListenError,
  limitSlowClients,
  listen,
  networkOf,
  RESOURCE_METADATA_PATH,
  SLOW_REQUEST_TIMEOUTS,
  urlHost,
  withTimeout,
} from "@mci-ts/http-guard";
import { createMcpEndpoint } from "@mci-ts/http-guard/mcp";
import { parseRequest, toRawJson } from "@mci-ts/primitives/exact-json";
import { toNodeHandler } from "@modelcontextprotocol/node";
import type { Server } from "@modelcontextprotocol/server";
import { CliError } from "../cli-error.ts";
import { CARD_PATH, CATALOG_PATH, type Endpoint, MCP_PATH } from "./endpoint.ts";
import type { ServedCaller } from "./issuer/caller-access.ts";
import type { WatchedResources } from "./watched-resources.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Access control: throws a `GuardError` for a request that is refused. Says who sends it, where an issuer knows. */
  readonly guard: (request: IncomingMessage) => Promise<ServedCaller | undefined>;
  /** A document about the login of this server, that anyone may read. Default: there is none. */
  readonly metadata?: (request: IncomingMessage, path: string) => object;
  /** Sends the server card or the catalogue; false: there is none. */
  readonly card: (request: IncomingMessage, response: ServerResponse, path: string) => Promise<boolean>;
  /** Throws a `GuardError` for a message that this caller may not send. Default: every message passes. */
  readonly authorize?: (request: IncomingMessage, body: unknown, caller: ServedCaller) => void;
  /** Called for each request within `withCaller`. */
  readonly newServer: () => Server;
  readonly withCaller: <T>(caller: ServedCaller | undefined, work: () => T) => T;
  /** The listed input schema of a tool. */
  readonly inputSchemaOf: (tool: string) => Readonly<Record<string, unknown>> | undefined;
  /** Whether clients of the protocol before 2026 may open a stream for list changes. */
  readonly listChanged: boolean;
  /** The resources that clients watch. */
  readonly watched: WatchedResources;
  /** A web page beside MCP; returns false for what is not its own. Default: none. */
  readonly page?: {
    readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;
  };
  /** Called with internal errors. */
  readonly onError: (error: Error) => void;
}

const HEALTH = "/healthz";
/** Bytes of a request. Arguments of a tool are seldom more than a few thousand. */
const MAX_BODY_BYTES = 4 * 1024 * 1024;
/** A request must have arrived by then; responses may take as long as they need. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Responses that were sent need a moment to reach the client. */
const FLUSH_TIMEOUT_MS = 1000;

/** Serves Streamable HTTP. Every request has its own server for the same tools; no state outlives a request. */
export async function serveHttp(options: HttpOptions): Promise<Endpoint> {
  const {
    host,
    port,
    guard,
    metadata,
    card,
    authorize,
    withCaller,
    newServer,
    inputSchemaOf,
    listChanged,
    watched,
    page,
    onError,
  } = options;
  const mcp = createMcpEndpoint({
    ...{ newServer, inputSchemaOf, listChanged, onError },
    onSubscribe(uris) {
      const owner = {};
      if (uris.length > 0) watched.add(owner, ...uris).catch(onError);
      return () => void watched.removeOwner(owner).catch(onError);
    },
    isSubscribed: (session, uri) => watched.has(session, uri),
  });
  const bodies = new BodyReader({ limit: MAX_BODY_BYTES, parse: parseRequest });
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? "").split("?", 1);
    if (path === HEALTH) return sendHealth(response, isStopping);
    if (metadata && path!.startsWith(RESOURCE_METADATA_PATH))
      return sendDocument(response, metadata(request, path!.slice(RESOURCE_METADATA_PATH.length)));
    if ((path === CARD_PATH || path === CATALOG_PATH) && (await card(request, response, path))) return;
    if (path !== MCP_PATH && (await page?.handle(request, response))) return;
    if (path !== MCP_PATH)
      return sendError(response, { status: 404, message: `Not found; MCP is at ${MCP_PATH}` });
    if (isStopping) return sendError(response, STOPPING);
    const caller = await guard(request);
    const client = networkOf(request.socket.remoteAddress ?? "");
    const handle = (body?: unknown) =>
      toNodeHandler(
        { fetch: (webRequest) => withCaller(caller, () => mcp.handle(webRequest, { body, client })) },
        { onerror: onError },
      )(request, response, toRawJson(body)); // It is written as JSON once more.
    if (request.method !== "POST") return handle();
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    const body = await bodies.json(request);
    if (caller !== undefined) authorize?.(request, body, caller);
    // A subscription lasts until one side closes it, so draining does not wait for it.
    if (isSubscription(body)) inFlight.delete(response);
    return handle(body);
  }

  const server = createServer(
    { ...SLOW_REQUEST_TIMEOUTS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      respond(request, response).catch((error: Error) => {
        // A client that disconnects before its request is complete is not an error.
        if (response.destroyed) return;
        if (error instanceof GuardError) return sendError(response, error);
        onError(error);
        if (!response.headersSent) sendError(response, INTERNAL);
      });
    },
  );
  limitSlowClients(server);
  await listen(server, { host, port }).catch((error: unknown) => {
    throw error instanceof ListenError ? listenError(error) : error;
  });
  server.on("error", onError);

  return {
    address: `http://${urlHost(host)}:${(server.address() as AddressInfo).port}${MCP_PATH}`,
    ended: new Promise(() => {}),
    listChanged: (list) => mcp[`${list}Changed`](),
    resourceUpdated: (uri) => mcp.resourceUpdated(uri),
    async drain(milliseconds) {
      isStopping = true;
      const responded: Promise<unknown> = Promise.all(
        [...inFlight].map((response) => new Promise((done) => response.once("close", done))),
      );
      await withTimeout(milliseconds, responded, () => {});
    },
    async close() {
      await mcp.close();
      const closed = new Promise((resolve) => server.close(resolve));
      await withTimeout(FLUSH_TIMEOUT_MS, closed, () => {});
      server.closeAllConnections();
    },
  };
}

interface ErrorResponse {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cause?: unknown;
}

const STOPPING: ErrorResponse = {
  status: 503,
  message: "The server is stopping",
  headers: { "retry-after": "5", connection: "close" },
};
const INTERNAL: ErrorResponse = { status: 500, message: "Internal error" };

/** Answers in the form MCP clients expect. */
function sendError(response: ServerResponse, error: ErrorResponse): void {
  const { status, message, headers = {} } = error;
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code: rpcCode(error), message }, id: null });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

/** JSON-RPC's own codes for what is not JSON, an invalid request and an internal error. */
function rpcCode({ status, cause }: ErrorResponse): number {
  if (cause instanceof SyntaxError) return -32_700;
  if (status === 400) return -32_600;
  return status === 500 ? -32_603 : -32_000;
}

function sendDocument(response: ServerResponse, document: object): void {
  const headers = { "content-type": "application/json", "access-control-allow-origin": "*" };
  response.writeHead(200, headers).end(JSON.stringify(document));
}

/** For load balancers: whether new requests are accepted. Reveals nothing about the tools, so it needs no token. */
function sendHealth(response: ServerResponse, isStopping: boolean): void {
  response
    .writeHead(isStopping ? 503 : 200, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify({ status: isStopping ? "stopping" : "ok" }));
}

function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "subscriptions/listen";
}

function listenError(error: ListenError): CliError {
  return new CliError(`${error.message}.`, {
    hint: error.isAboutPort
      ? "Choose another port, or --http 0 for a free one."
      : "Leave out the host for this machine only, or write 0.0.0.0 for all of its addresses.",
    cause: error,
  });
}
