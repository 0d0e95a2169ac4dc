import { roundedNumber, stringifyExact } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";
import { withKeepAlive } from "./keep-alive.ts";
import { findHeaderMismatch } from "./param-headers.ts";
import { ListVersion, withComment, withPrimingEvent } from "./resumption.ts";
import { introduce, mayAsk, methodOf, SESSION_HEADER, Sessions } from "./sessions.ts";
import { StreamLimiter } from "./stream-limiter.ts";

/*
 * How a request to the MCP endpoint is handled:
 *
 *   GET -StreamLimiter-> stream of notifications
 *   POST -era-> 2026: SDK handler | earlier: Sessions, transport for one request -withKeepAlive-> JSON or events
 */

export interface McpEndpointOptions {
  /** A server for one request; they all share the same tools. */
  readonly newServer: () => McpServer | Server;
  /** Whether clients of the protocol before 2026 may open a stream to be notified of list changes. Default false. */
  readonly listChanged?: boolean;
  /** Called with errors that no response reports. */
  readonly onError: (error: Error) => void;
  /** Called with the reason why a request was refused, which its response has too. Default: not reported. */
  readonly onRejected?: (error: Error) => void;
  /**
   * The listed input schema of a tool, to check `Mcp-Param-*` headers against. Only needed where `newServer` makes a
   * low-level `Server`: the SDK checks tools that are registered with `McpServer`.
   */
  readonly inputSchemaOf?: (tool: string) => Readonly<Record<string, unknown>> | undefined;
  /** Called with the resources that a client of 2026 wants to be told of; returns what ends that. Default: none is told of. */
  readonly onSubscribe?: (uris: readonly string[]) => () => void;
  /** Whether a client of the protocol before 2026, by its session id, wants to be told of a resource. Default: none does. */
  readonly isSubscribed?: (session: string, uri: string) => boolean;
  /** How long a response may take before it becomes a stream with keep-alive comments. Default 10 seconds. */
  readonly keepAliveMs?: number;
}

interface McpRequest {
  /** The parsed body of a POST. */
  readonly body?: unknown;
  /** Who sends it, for limits per client. */
  readonly client: string;
}

export interface McpEndpoint {
  handle(request: Request, options: McpRequest): Promise<Response>;
  /** Notifies every connected client that the list of tools has changed. */
  toolsChanged(): void;
  promptsChanged(): void;
  resourcesChanged(): void;
  /** Notifies the clients that asked for it. */
  resourceUpdated(uri: string): void;
  close(): Promise<void>;
}

const KEEP_ALIVE_MS = 10_000;
/** Messages in one POST, which the protocol of March 2025 allows. They are all served in one turn of the event loop. */
const MAX_BATCH = 100;
/** JSON-RPC code of the 2026-07-28 revision: headers and body disagree. */
const HEADER_MISMATCH = -32_020;

/** Streamable HTTP for every revision of the protocol. No state outlives a request but open streams. */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const {
    newServer,
    listChanged = false,
    onError,
    onRejected,
    inputSchemaOf,
    onSubscribe,
    isSubscribed,
    keepAliveMs = KEEP_ALIVE_MS,
  } = options;
  const handler = createMcpHandler(newServer, { legacy: "reject", onerror: onRejected, keepAliveMs });
  const sessions = new Sessions();
  const streams = new StreamLimiter();
  /** Each with the id of its session. */
  const listeners = new Map<McpServer | Server, string>();
  const listVersion = new ListVersion();

  async function post(request: Request, body: unknown): Promise<Response> {
    if (!(await isLegacyRequest(request, body)))
      return checkParamHeaders(request, body) ?? handler.fetch(request, { parsedBody: body });
    if (sessions.forwardResponse(request, body)) return new Response(null, { status: 202 });
    sessions.forwardCancel(request, body);
    const response = await answerOnce(request, body);
    return sessions.assignSessionId(response, body);
  }

  function checkParamHeaders({ headers }: Request, body: unknown): Response | undefined {
    if (inputSchemaOf === undefined || methodOf(body) !== "tools/call") return undefined;
    const { id, params } = body as { id?: unknown; params?: { name?: unknown; arguments?: unknown } };
    const schema = typeof params?.name === "string" ? inputSchemaOf(params.name) : undefined;
    const mismatch = schema && findHeaderMismatch(schema, params?.arguments, headers);
    if (mismatch === undefined) return undefined;
    const { header, message } = mismatch;
    const error = {
      code: HEADER_MISMATCH,
      message: `Bad Request: ${message}`,
      data: { mismatch: { header, body: message } },
    };
    return Response.json({ jsonrpc: "2.0", error, id }, { status: 400 });
  }

  /** Serves one request of the protocol before 2026. */
  async function answerOnce(request: Request, body: unknown): Promise<Response> {
    const server = newServer();
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      // A stream is needed only for messages before the result. Some clients limit the size of an event.
      enableJsonResponse: !asksForProgress(body) && !mayAsk(request, body),
      keepAliveMs,
    });
    await server.connect(transport);
    if (mayAsk(request, body)) await introduce(transport, request);
    const { promise: closed, resolve: onClosed } = Promise.withResolvers<void>();
    const close = () => void server.close().then(onClosed, onClosed);
    request.signal.addEventListener("abort", close, { once: true });
    sessions.track(request, body, transport, close);
    const response = await Promise.race([
      transport.handleRequest(request, { parsedBody: body }),
      closed.then(noResponse),
    ]);
    if (!isEventStream(response)) close();
    return response;
  }

  async function openStream(request: Request, client: string): Promise<Response> {
    const release = streams.acquire(client);
    if (release === undefined) return tooManyStreams();
    const server = newServer();
    const close = () => {
      release();
      listeners.delete(server);
      server.close().catch(onError);
    };
    request.signal.addEventListener("abort", close, { once: true });
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      keepAliveMs,
    });
    await server.connect(transport);
    const response = await transport.handleRequest(request);
    if (!response.ok) {
      close();
      return response;
    }
    listeners.set(server, request.headers.get(SESSION_HEADER) ?? "");
    // A client that comes back after a change which it has not seen is notified now.
    if (listVersion.isOld(request.headers.get("last-event-id"))) notify(server, "tools");
    return supportsPriming(request) ? withPrimingEvent(response, listVersion.id) : withComment(response);
  }

  function notify(server: McpServer | Server, list: List): void {
    const send = {
      tools: () => server.sendToolListChanged(),
      prompts: () => server.sendPromptListChanged(),
      resources: () => server.sendResourceListChanged(),
    };
    // A server that does not offer such a list has nothing to say about it.
    Promise.resolve(send[list]()).catch(onError);
  }

  function changed(list: List): void {
    listVersion.increase();
    for (const server of listeners.keys()) notify(server, list);
  }

  return {
    async handle(request, { body, client }) {
      if (request.method === "GET" && listChanged) return openStream(request, client);
      if (request.method !== "POST") return methodNotAllowed();
      // Before any of them is looked at: checking a message costs more than sending it.
      if (Array.isArray(body) && body.length > MAX_BATCH) return batchTooLarge();
      const refused = refusedNumber(body);
      if (refused !== undefined) return refused;
      if (methodOf(body) !== "subscriptions/listen") {
        return withKeepAlive(post(request, body), keepAliveMs, request);
      }
      const releaseStream = streams.acquire(client);
      if (releaseStream === undefined) return tooManyStreams();
      const unsubscribe = onSubscribe?.(subscribedIn(body));
      const release = () => {
        releaseStream();
        unsubscribe?.();
      };
      request.signal.addEventListener("abort", release, { once: true });
      const response = await post(request, body);
      if (!isEventStream(response)) release();
      return response;
    },
    toolsChanged() {
      handler.notify.toolsChanged();
      changed("tools");
    },
    promptsChanged() {
      handler.notify.promptsChanged();
      changed("prompts");
    },
    resourcesChanged() {
      handler.notify.resourcesChanged();
      changed("resources");
    },
    resourceUpdated(uri) {
      handler.notify.resourceUpdated(uri);
      for (const [listener, session] of listeners)
        if (isSubscribed?.(session, uri))
          Promise.resolve(lowLevel(listener).sendResourceUpdated({ uri })).catch(onError);
    },
    async close() {
      await Promise.all([handler.close(), ...[...listeners.keys()].map((server) => server.close())]);
    },
  };
}

type List = "tools" | "prompts" | "resources";

function lowLevel(server: McpServer | Server): Server {
  return "server" in server ? server.server : server;
}

/** The resources in a `subscriptions/listen`. */
function subscribedIn(body: unknown): string[] {
  const { params } = body as { params?: { notifications?: { resourceSubscriptions?: unknown } } };
  const uris = params?.notifications?.resourceSubscriptions;
  return Array.isArray(uris) ? uris.filter((uri) => typeof uri === "string") : [];
}

function asksForProgress(body: unknown): boolean {
  const messages = Array.isArray(body) ? body : [body];
  return messages.some((message) => {
    const { params } = (message ?? {}) as { params?: { _meta?: { progressToken?: unknown } } | null };
    return params?._meta?.progressToken !== undefined;
  });
}

function isEventStream(response: Response): boolean {
  return response.headers.get("content-type")?.startsWith("text/event-stream") === true;
}

/** Empty events came with this revision; older clients fail on them. */
function supportsPriming({ headers }: Request): boolean {
  return (headers.get("mcp-protocol-version") ?? "") >= "2025-11-25";
}

/** A cancelled request has no response: a stream that ends. */
function noResponse(): Response {
  return new Response(null, { headers: { "content-type": "text/event-stream" } });
}

function methodNotAllowed(): Response {
  return rpcError(405, "Method not allowed", { allow: "POST" });
}

function tooManyStreams(): Response {
  return rpcError(503, "Too many streams are open", { "retry-after": "60" });
}

function refusedNumber(body: unknown): Response | undefined {
  for (const message of Array.isArray(body) ? body : [body]) {
    const reason = isObject(message) ? roundedNumber(message) : undefined;
    if (reason === undefined) continue;
    const { id } = message as { id?: unknown };
    // As it came, where the body was read exactly; a number that may have been rounded is no use to the client.
    const isExact = typeof id === "bigint" || typeof id === "string" || Number.isSafeInteger(id);
    return rpcError(400, `Bad Request: ${reason}`, {}, -32_600, isExact ? id : null);
  }
  return undefined;
}

function batchTooLarge(): Response {
  return rpcError(400, `A batch has at most ${MAX_BATCH} messages: send more than one request`, {}, -32_600);
}

function rpcError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>>,
  code = -32_000,
  id: unknown = null,
): Response {
  const body = stringifyExact({ jsonrpc: "2.0", error: { code, message }, id });
  return new Response(body, { status, headers: { "content-type": "application/json", ...headers } });
}
