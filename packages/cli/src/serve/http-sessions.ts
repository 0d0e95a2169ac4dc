import { randomUUID } from "node:crypto";
import {
  isJSONRPCNotification,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

const HEADER = "mcp-session-id";
const MAX_STREAMS = 1024;

/**
 * What clients of the protocol before 2026 need beyond single requests. They cancel a call by a message of its own,
 * which finds the call by the session both name; and they hear of other tools on a stream that stays open.
 *
 * A session is only a name that the client was given. Nothing is kept under it but the requests under way, so any
 * process may serve any request of any session; a cancellation that reaches another process is lost, as the protocol
 * allows, and hanging up cancels as well.
 */
export class HttpSessions {
  readonly #underWay = new Map<string, Set<Server>>();
  readonly #streams = new Set<Server>();

  /** Notes that the server answers this request. */
  join(server: Server, request: Request): void {
    const session = request.headers.get(HEADER);
    if (session === null) return;
    const servers = this.#underWay.get(session) ?? new Set();
    this.#underWay.set(session, servers.add(server));
    server.onclose = () => {
      servers.delete(server);
      if (servers.size === 0) this.#underWay.delete(session);
    };
  }

  /** Takes a cancellation to the requests of its session. */
  heed(request: Request, message: unknown): void {
    if (methodOf(message) !== "notifications/cancelled" || !isJSONRPCNotification(message)) return;
    const servers = this.#underWay.get(request.headers.get(HEADER) ?? "");
    for (const server of servers ?? []) server.transport?.onmessage?.(message);
  }

  /** Names the session of a client that has just introduced itself. */
  name(response: Response, message: unknown): Response {
    if (response.ok && methodOf(message) === "initialize") response.headers.set(HEADER, randomUUID());
    return response;
  }

  /** Opens a stream on which a client hears of changes. */
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

/** A look that costs nothing, since every request is looked at. */
function methodOf(message: unknown): unknown {
  return (message as { method?: unknown } | null | undefined)?.method;
}
