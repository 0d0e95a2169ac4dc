import { randomUUID } from "node:crypto";
import { type McpServer, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";

const MAX_SESSIONS = 1000;
const IDLE_MS = 30 * 60_000;

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  seen: number;
}

/**
 * Sessions for clients of the protocol before 2026. They cancel a call by a message of its own, which only finds the call within
 * a session. Bounded: idle sessions end, and the longest unseen makes room for a new one.
 */
export class McpSessions {
  readonly #newServer: () => McpServer;
  readonly #sessions = new Map<string, Session>();

  constructor(newServer: () => McpServer) {
    this.#newServer = newServer;
  }

  /** Whether a request belongs to a session, or begins one. */
  claims(request: Request, body?: unknown): boolean {
    return (
      request.headers.has("mcp-session-id") || (isInitialize(body) && !request.headers.has("mcp-method"))
    );
  }

  async handle(request: Request, body?: unknown): Promise<Response> {
    const id = request.headers.get("mcp-session-id");
    const session = id === null ? undefined : this.#sessions.get(id);
    if (session) {
      session.seen = Date.now();
      return session.transport.handleRequest(request, { parsedBody: body });
    }
    // Clients begin anew when they are told that the session is gone.
    if (id !== null)
      return Response.json(
        { jsonrpc: "2.0", error: { code: -32001, message: "Session not found" }, id: null },
        { status: 404 },
      );
    return (await this.#begin()).handleRequest(request, { parsedBody: body });
  }

  async #begin(): Promise<WebStandardStreamableHTTPServerTransport> {
    this.#makeRoom();
    const transport: WebStandardStreamableHTTPServerTransport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, seen: Date.now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await this.#newServer().connect(transport);
    return transport;
  }

  #makeRoom(): void {
    const now = Date.now();
    const byAge = [...this.#sessions].sort(([, a], [, b]) => a.seen - b.seen);
    for (const [index, [id, { transport, seen }]] of byAge.entries()) {
      if (now - seen < IDLE_MS && byAge.length - index < MAX_SESSIONS) break;
      this.#sessions.delete(id);
      void transport.close();
    }
  }
}

function isInitialize(body: unknown): boolean {
  return typeof body === "object" && body !== null && (body as { method?: unknown }).method === "initialize";
}
