import {
  type CallToolResult,
  type Implementation,
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type ExecuteOptions, MCIClientError } from "mci-ts";
import type { Toolbox } from "./toolbox.ts";

export interface McpServerOptions {
  readonly identity: Implementation;
  /** Told to the model along with the tools. Default: nothing. */
  readonly instructions?: string;
  /** Whether clients may be told of changes to the list. */
  readonly listChanged: boolean;
  /** Told when the client has cancelled every call that was under way: nobody waits for an answer any more. */
  readonly onAbandoned?: () => void;
}

/** An MCP server over the tools. Made anew for each connection or HTTP request; the tools behind it are the same. */
export function createMcpServer(toolbox: Toolbox, options: McpServerOptions): Server {
  const { identity, instructions, listChanged, onAbandoned } = options;
  const server = new Server(identity, {
    capabilities: { tools: listChanged ? { listChanged } : {} },
    instructions,
  });
  let calls = 0;

  server.setRequestHandler("tools/list", ({ params }) => {
    const page = toolbox.listing.page(params?.cursor);
    if (page === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor. Begin again without one.");
    return { ...page };
  });

  server.setRequestHandler("tools/call", async ({ params }, context) => {
    calls++;
    try {
      const result = await call(toolbox, params.name, params.arguments ?? {}, context);
      // Structured content that is no object: the protocol before 2026 wants it wrapped.
      return server.projectCallToolResult(result, undefined);
    } finally {
      calls--;
      if (calls === 0 && context.mcpReq.signal.aborted) onAbandoned?.();
    }
  });
  return server;
}

async function call(
  toolbox: Toolbox,
  name: string,
  properties: Readonly<Record<string, unknown>>,
  { mcpReq }: ServerContext,
): Promise<CallToolResult> {
  const { onProgress, sent } = progressOf(mcpReq);
  try {
    const { result } = await toolbox.call(name, properties, { signal: mcpReq.signal, onProgress });
    await sent();
    const { content, isError, structuredContent } = result;
    return {
      content,
      ...(structuredContent !== undefined && { structuredContent }),
      ...(isError && { isError }),
    } as CallToolResult;
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    // The model can mend its arguments, so it must see what is wrong with them.
    if (error.code === "invalid_input")
      return { content: [{ type: "text", text: error.message }], isError: true };
    if (error.code === "tool_not_found")
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    throw new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
}

/** Progress goes to a client that asked for it, and before the result. */
function progressOf({ _meta, notify }: ServerContext["mcpReq"]): {
  onProgress: ExecuteOptions["onProgress"];
  sent: () => Promise<unknown>;
} {
  const progressToken = _meta?.progressToken;
  if (progressToken === undefined) return { onProgress: undefined, sent: async () => {} };
  let last: Promise<unknown> = Promise.resolve();
  return {
    onProgress: (progress) => {
      // A client that has gone needs no progress; the call itself is cancelled by other means.
      last = notify({
        method: "notifications/progress",
        params: { progressToken, ...progress },
      }).catch(() => {});
    },
    sent: () => last,
  };
}
