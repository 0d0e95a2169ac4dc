import { randomUUID } from "node:crypto";
import {
  isJSONRPCNotification,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

const HEADER = "mcp-session-id";
const MAX_STREAMS = 1024;

/**
 * What clients of the protocol before 2026 need beyond single requests. They cancel a call with a separate message,
 * which is matched to the call by its session id, and they receive list changes on a stream that stays open.
 *
 * A session is only an id. Its only state are the requests in flight, so any process may serve any request of any
 * session; a cancellation that reaches another process is lost, as the protocol allows, and disconnecting cancels as
 * well.
 */
export class HttpSessions {
  readonly #inFlight = new Map<string, Set<Server>>();
  readonly #streams = new Set<Server>();

  /** Records that the server handles this request. */
  track(server: Server, request: Request): void {
    const session = request.headers.get(HEADER);
    if (session === null) return;
    const servers = this.#inFlight.get(session) ?? new Set();
    this.#inFlight.set(session, servers.add(server));
    server.onclose = () => {
      servers.delete(server);
      if (servers.size === 0) this.#inFlight.delete(session);
    };
  }

  /** Forwards a cancellation to the requests of its session. */
  forwardCancel(request: Request, message: unknown): void {
    if (methodOf(message) !== "notifications/cancelled" || !isJSONRPCNotification(message)) return;
    const servers = this.#inFlight.get(request.headers.get(HEADER) ?? "");
    for (const server of servers ?? []) server.transport?.onmessage?.(message);
  }

  /** Gives a session id to a client that has just initialized. */
  assignSessionId(response: Response, message: unknown): Response {
    if (response.ok && methodOf(message) === "initialize") response.headers.set(HEADER, randomUUID());
    return response;
  }

  /** Opens a stream on which a client receives notifications. */
  async listen(server: Server, request: Request): Promise<Response> {
    if (this.#streams.size >= MAX_STREAMS) return tooMany();
    const transport = new WebStandardStreamableHTTPServerTransport({ sessionIdGenerator: undefined });
    await server.connect(transport);
    this.#streams.add(server);
    server.onclose = () => this.#streams.delete(server);
    request.signal.addEventListener("abort", () => void server.close(), { once: true });
    const response = await transport.handleRequest(request);
    if (!response.ok) await server.close();
    return response;
  }

  toolsChanged(): void {
    for (const server of this.#streams) server.sendToolListChanged().catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#streams].map((server) => server.close()));
  }
}

function tooMany(): Response {
  const error = { code: -32_000, message: "Too many streams are open" };
  const headers = { "retry-after": "60" };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status: 503, headers });
}

/** Cheap, because it runs for every request. */
function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null | undefined)?.method;
}
