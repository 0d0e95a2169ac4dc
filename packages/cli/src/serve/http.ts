import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, type Server } from "@modelcontextprotocol/server";
import { Failure } from "../failure.ts";
import { within } from "./deadline.ts";
import type { Endpoint } from "./endpoint.ts";
import { readBody } from "./http-body.ts";
import { bracketed, type Check } from "./http-hosts.ts";
import { type Refusal, refuse } from "./http-refusal.ts";
import { HttpSessions } from "./http-sessions.ts";

export interface HttpOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Who may not come in, in the order they are asked. */
  readonly checks: readonly Check[];
  readonly newServer: (options?: { onAbandoned: () => void }) => Server;
  /** Whether clients of the protocol before 2026 may keep a stream open to hear of changes. */
  readonly announces: boolean;
  /** Told of what went wrong in here. */
  readonly onError: (error: Error) => void;
}

const PATH = "/mcp";
const HEALTH = "/healthz";
/** Longer than the minute for which balancers keep idle connections, so that they hang up first. */
const KEEP_ALIVE_MS = 75_000;
/** A request must have arrived by then; answers may take as long as they need. */
const REQUEST_MS = 30_000;
/** What has been answered needs a moment to reach the client. */
const FLUSH_MS = 1000;

/** Serves Streamable HTTP. Every request has its own server over the same tools, and nothing is kept between requests. */
export async function serveHttp(options: HttpOptions): Promise<Endpoint> {
  const { host, port, checks, newServer, announces, onError } = options;
  const sessions = new HttpSessions();
  const underWay = new Set<ServerResponse>();
  let isStopping = false;

  const mcp = createMcpHandler(({ era, requestInfo }) => {
    if (era === "modern" || requestInfo === undefined) return newServer();
    const server = newServer({ onAbandoned: () => void server.close() });
    sessions.join(server, requestInfo);
    return server;
  });
  const handle = toNodeHandler(
    {
      async fetch(request, given) {
        if (request.method === "GET" && announces) return sessions.listen(newServer(), request);
        sessions.heed(request, given?.parsedBody);
        return sessions.name(await mcp.fetch(request, given), given?.parsedBody);
      },
    },
    { onerror: onError },
  );

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [path] = (request.url ?? "").split("?", 1);
    if (path === HEALTH) return health(response, isStopping);
    if (path !== PATH) return refuse(response, { status: 404, message: `Not found; MCP is at ${PATH}` });
    if (isStopping) return refuse(response, STOPPING);
    for (const check of checks) {
      const refusal = check(request);
      if (refusal !== undefined) return refuse(response, refusal);
    }
    if (request.method !== "POST") return handle(request, response);
    underWay.add(response);
    response.once("close", () => underWay.delete(response));
    const body = await readBody(request);
    if ("refusal" in body) return refuse(response, body.refusal);
    // A subscription lasts until somebody leaves; nothing waits for its answer.
    if (isSubscription(body.json)) underWay.delete(response);
    return handle(request, response, body.json);
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, requestTimeout: REQUEST_MS },
    (request, response) => {
      answer(request, response).catch((error: Error) => {
        // Somebody who hangs up before the request is complete is no news.
        if (response.destroyed) return;
        onError(error);
        if (!response.headersSent)
          refuse(response, { status: 500, message: "Internal error", code: -32_603 });
      });
    },
  );
  await new Promise<void>((resolve, reject) => {
    server.once("error", (cause: NodeJS.ErrnoException) => reject(cannotListen(cause, host, port)));
    server.listen(port, host, resolve);
  });
  server.on("error", onError);

  return {
    where: `http://${bracketed(host)}:${(server.address() as AddressInfo).port}${PATH}`,
    ended: new Promise(() => {}),
    toolsChanged() {
      mcp.notify.toolsChanged();
      sessions.toolsChanged();
    },
    async drain(milliseconds) {
      isStopping = true;
      const answered = Promise.all(
        [...underWay].map((response) => new Promise((done) => response.once("close", done))),
      );
      await within(milliseconds, answered);
    },
    async close() {
      await Promise.all([mcp.close(), sessions.close()]);
      const closed = new Promise((resolve) => server.close(resolve));
      await within(FLUSH_MS, closed);
      server.closeAllConnections();
    },
  };
}

const STOPPING: Refusal = {
  status: 503,
  message: "The server is stopping",
  headers: { "retry-after": "5", connection: "close" },
};

/** For balancers: whether new requests are welcome. Says nothing about the tools, so anyone may ask. */
function health(response: ServerResponse, isStopping: boolean): void {
  response
    .writeHead(isStopping ? 503 : 200, { "content-type": "application/json", "cache-control": "no-store" })
    .end(JSON.stringify({ status: isStopping ? "stopping" : "ok" }));
}

function isSubscription(message: unknown): boolean {
  return (message as { method?: unknown } | null)?.method === "subscriptions/listen";
}

function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): Failure {
  const reasons: Record<string, string> = {
    EADDRINUSE: "another program listens there",
    EACCES: "that needs more rights",
    EADDRNOTAVAIL: "this machine does not have that address",
    ENOTFOUND: "there is no such host",
  };
  return new Failure(`Cannot listen on ${host}:${port}: ${reasons[cause.code ?? ""] ?? cause.message}.`, {
    hint: /^(EADDRNOTAVAIL|ENOTFOUND|EAI_AGAIN)$/.test(cause.code ?? "")
      ? "Leave out the host for this machine only, or write 0.0.0.0 for all of its addresses."
      : "Choose another port, or --http 0 for a free one.",
    cause,
  });
}
