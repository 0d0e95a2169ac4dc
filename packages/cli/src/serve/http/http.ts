import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type Server } from "@modelcontextprotocol/server";
import { CliError } from "../../cli-error.ts";
import type { Endpoint } from "../endpoint.ts";
import { withTimeout } from "../with-timeout.ts";
import { readBody } from "./body.ts";
import { type HttpError, sendError } from "./error.ts";
import { bracketed, type Check } from "./hosts.ts";
import { HttpSessions } from "./sessions.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0 chooses a free one. */
  readonly port: number;
  /** Access control, in the order of its checks. */
  readonly checks: readonly Check[];
  readonly newServer: (options?: { onAllCancelled: () => void }) => Server;
  /** Whether clients of the protocol before 2026 may open a stream for list changes. */
  readonly listChanged: boolean;
  /** Called with internal errors. */
  readonly onError: (error: Error) => void;
}

const PATH = "/mcp";
const HEALTH = "/healthz";
/** Longer than the minute for which load balancers keep idle connections, so that they close first. */
const KEEP_ALIVE_TIMEOUT_MS = 75_000;
/** A request must have arrived by then; responses may take as long as they need. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Responses that were sent need a moment to reach the client. */
const FLUSH_TIMEOUT_MS = 1000;

/** Serves Streamable HTTP. Every request has its own server for the same tools; no state outlives a request. */
export async function serveHttp(options: HttpOptions): Promise<Endpoint> {
  const { host, port, checks, newServer, listChanged, onError } = options;
  const sessions = new HttpSessions();
  const inFlight = new Set<ServerResponse>();
  let isStopping = false;

  const mcp = createMcpHandler(({ era, requestInfo }) => {
    if (era === "modern" || requestInfo === undefined) return newServer();
    const server = newServer({ onAllCancelled: () => void server.close() });
    sessions.track(server, requestInfo);
    return server;
  });
  const handle = toNodeHandler(
    {
      async fetch(request, given) {
        if (request.method === "GET" && listChanged) return sessions.listen(newServer(), request);
        sessions.forwardCancel(request, given?.parsedBody);
        return sessions.assignSessionId(await mcp.fetch(request, given), given?.parsedBody);
      },
    },
    { onerror: onError },
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? "").split("?", 1);
    if (path === HEALTH) return health(response, isStopping);
    if (path !== PATH) return sendError(response, { status: 404, message: `Not found; MCP is at ${PATH}` });
    if (isStopping) return sendError(response, STOPPING);
    for (const check of checks) {
      const refusal = check(request);
      if (refusal !== undefined) return sendError(response, refusal);
    }
    if (request.method !== "POST") return handle(request, response);
    inFlight.add(response);
    response.once("close", () => inFlight.delete(response));
    const body = await readBody(request);
    if ("refusal" in body) return sendError(response, body.refusal);
    // A subscription lasts until one side closes it, so draining does not wait for it.
    if (isSubscription(body.json)) inFlight.delete(response);
    return handle(request, response, body.json);
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    (request, response) => {
      answer(request, response).catch((error: Error) => {
        // A client that disconnects before its request is complete is not an error.
        if (response.destroyed) return;
        onError(error);
        if (!response.headersSent)
          sendError(response, { status: 500, message: "Internal error", code: -32_603 });
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(listenError(cause, host, port)));
    server.listen(port, host, resolve);
  });
  server.on("error", onError);

  return {
    address: `http://${bracketed(host)}:${(server.address() as AddressInfo).port}${PATH}`,
    ended: new Promise(() => {}),
    toolsChanged() {
      mcp.notify.toolsChanged();
      sessions.toolsChanged();
    },
    async drain(milliseconds) {
      isStopping = true;
      const answered = Promise.all(
        [...inFlight].map((response) => new Promise((done) => response.once("close", done))),
      );
      await withTimeout(milliseconds, answered);
    },
    async close() {
      await Promise.all([mcp.close(), sessions.close()]);
      const closed = new Promise((resolve) => server.close(resolve));
      await withTimeout(FLUSH_TIMEOUT_MS, closed);
      server.closeAllConnections();
    },
  };
}

const STOPPING: HttpError = {
  status: 503,
  message: "The server is stopping",
  headers: { "retry-after": "5", connection: "close" },
};

/** For load balancers: whether new requests are accepted. Reveals nothing about the tools, so it needs no token. */
function health(response: ServerResponse, isStopping: boolean): void {
  response
    .writeHead(isStopping ? 503 : 200, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify({ status: isStopping ? "stopping" : "ok" }));
}

function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "subscriptions/listen";
}

function listenError(cause: NodeJS.ErrnoException, host: string, port: number): CliError {
  const reasons: Record<string, string> = {
    EADDRINUSE: "another program listens there",
    EACCES: "that needs more rights",
    EADDRNOTAVAIL: "this machine does not have that address",
    ENOTFOUND: "there is no such host",
  };
  return new CliError(`Cannot listen on ${host}:${port}: ${reasons[cause.code ?? ""] ?? cause.message}.`, {
    hint: /^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(cause.code ?? "")
      ? "Leave out the host for this machine only, or write 0.0.0.0 for all of its addresses."
      : "Choose another port, or --http 0 for a free one.",
    cause,
  });
}
