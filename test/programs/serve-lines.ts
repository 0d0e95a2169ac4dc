/**
 * An MCP server over pipes for fixtures, in both generations of the protocol. Without the SDK, which takes three times as
 * long to load as Node.js takes to start; tests of how the two understand each other use the SDK's own server.
 */
export interface LineServer {
  readonly name: string;
  readonly listTools: (cursor?: string) => object;
  readonly callTool: (name: string, args: Arguments, call: Call) => object | Promise<object>;
}

export type Arguments = Readonly<Record<string, unknown>>;

export interface Call {
  readonly signal: AbortSignal;
  /** Sends progress if the client has asked for it; false if it has not. */
  readonly progress: (step: object) => boolean;
}

/** For the client: what a tool throws with a code is a protocol error. */
export const protocolError = (code: number, message: string, data?: object) =>
  Object.assign(new Error(message), { code, data });

export function serveLines(server: LineServer): void {
  const calls = new Map<unknown, AbortController>();
  let rest = "";
  process.stdin.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop()!;
    for (const line of lines) if (line.trim() !== "") void receive(server, JSON.parse(line), calls);
  });
  process.stdin.once("end", () => process.exit());
}

interface Request {
  readonly id?: unknown;
  readonly method: string;
  readonly params?: Record<string, unknown> & { _meta?: Record<string, unknown> };
}

async function receive(
  server: LineServer,
  request: Request,
  calls: Map<unknown, AbortController>,
): Promise<void> {
  const { id, method, params = {} } = request;
  if (method === "notifications/cancelled") return calls.get(params["requestId"])?.abort();
  if (id === undefined) return;
  const controller = new AbortController();
  calls.set(id, controller);
  try {
    const result = await respond(server, request, controller.signal);
    // A call that was cancelled has no response.
    if (!controller.signal.aborted) send({ id, result: complete(server, result, request) });
  } catch (error) {
    const { code = -32_603, message, data } = error as Error & { code?: number; data?: object };
    send({ id, error: { code, message, data } });
  } finally {
    calls.delete(id);
  }
}

function respond(server: LineServer, { method, params = {} }: Request, signal: AbortSignal): unknown {
  const capabilities = { tools: {} };
  switch (method) {
    case "server/discover":
      return { supportedVersions: ["2026-07-28"], capabilities };
    case "initialize":
      return { protocolVersion: params["protocolVersion"], capabilities, serverInfo: about(server) };
    case "tools/list":
      return server.listTools(params["cursor"] as string | undefined);
    case "tools/call": {
      const progressToken = params._meta?.["progressToken"];
      const progress = (step: object) => {
        if (progressToken === undefined) return false;
        send({ method: "notifications/progress", params: { progressToken, ...step } });
        return true;
      };
      const args = (params["arguments"] ?? {}) as Arguments;
      return server.callTool(String(params["name"]), args, { signal, progress });
    }
    default:
      throw protocolError(-32_601, "Method not found");
  }
}

const VERSION = "io.modelcontextprotocol/protocolVersion";
const SERVER_INFO = "io.modelcontextprotocol/serverInfo";

/** What the newer protocol adds to every result, and to those that a client may cache. */
function complete(server: LineServer, result: unknown, { method, params }: Request): unknown {
  if (params?._meta?.[VERSION] === undefined) return result;
  const { _meta, ...fields } = result as { _meta?: object };
  const caching = method === "tools/call" ? {} : { ttlMs: 0, cacheScope: "private" };
  return {
    resultType: "complete",
    ...fields,
    ...caching,
    _meta: { ..._meta, [SERVER_INFO]: about(server) },
  };
}

const about = ({ name }: LineServer) => ({ name, version: "1.0.0" });

function send(message: object): void {
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
}
