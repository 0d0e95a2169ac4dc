import { toRawJson } from "@mci-ts/primitives/exact-json";
import { type Count, compileTimeout } from "../count.ts";
import { ToolError } from "../errors.ts";
import { InputPause } from "../input-pause.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { ContentItem, Outcome } from "../result.ts";
import type { McpExecution } from "../schema/execution.ts";
import type { Executor } from "./executor.ts";

interface McpPlan {
  readonly serverName: string;
  readonly toolName: string;
  readonly timeoutMs: Count;
}

/** Calls a tool of an MCP server, on the session that the pool keeps. */
export const mcp: Executor<McpExecution, McpPlan, McpPool | undefined> = {
  compile: ({ serverName, toolName, timeout_ms }, compile, place) => ({
    serverName,
    toolName,
    timeoutMs: compileTimeout(timeout_ms, compile, place),
  }),

  open: ({ mcp }) => mcp,

  async run(plan, { scope, callerSignal, onProgress, input }, pool) {
    const { serverName, toolName } = plan;
    const metadata = { mcp_server: serverName, mcp_tool: toolName };
    checkServer(pool, serverName, metadata);
    const noteSecrets = () => {
      // What the server may repeat in an error: its own settings, and tokens that have come during a call.
      for (const secret of pool.secrets(serverName)) scope.onEnv(secret, "credential");
    };
    try {
      noteSecrets();
      const result = await pool.callTool(serverName, toolName, toRawJson(scope.props), {
        // Closing the client closes the session, which ends the call: no signal need be made for that.
        signal: callerSignal,
        timeoutMs: plan.timeoutMs(scope),
        onProgress,
        input,
      });
      noteSecrets();
      return {
        content: result.content as readonly ContentItem[],
        isError: result.isError ?? false,
        structuredContent: result.structuredContent,
        metadata: { ...metadata, ...ownMeta(result._meta) },
      };
    } catch (error) {
      if (error instanceof InputPause) return paused(error, metadata);
      if (!(error instanceof ToolError)) throw error;
      noteSecrets();
      const message = `Failed to execute MCP tool '${toolName}': ${error.message}`;
      throw new ToolError(error.code, message, {
        cause: error,
        metadata: { ...error.metadata, ...metadata },
      });
    }
  },

  async preview({ serverName, toolName }, { scope }, { mcp: pool }) {
    checkServer(pool, serverName, { mcp_server: serverName, mcp_tool: toolName });
    return { type: "mcp", server: serverName, tool: toolName, arguments: scope.props };
  },
};

/** Not a failure, but nothing that a model should read as a result either. */
function paused({ inputRequired }: InputPause, metadata: Readonly<Record<string, unknown>>): Outcome {
  const messages = Object.values(inputRequired.requests).map(({ message }) => message);
  const text = `The MCP server waits for input: ${messages.join("; ")}`;
  return {
    content: [{ type: "text", text }],
    isError: true,
    inputRequired,
    metadata: { ...metadata, error_code: "input_required" },
  };
}

function checkServer(
  pool: McpPool | undefined,
  server: string,
  metadata: Readonly<Record<string, unknown>>,
): asserts pool is McpPool {
  if (pool?.has(server)) return;
  const message = `MCP server '${server}' not registered in main schema`;
  throw new ToolError("invalid_config", message, { metadata });
}

/** What the server added for its users; the protocol's own entries are of no use to them. */
function ownMeta(meta: Readonly<Record<string, unknown>> = {}): { mcp_meta?: Record<string, unknown> } {
  const own = Object.entries(meta).filter(([key]) => !key.startsWith("io.modelcontextprotocol/"));
  return own.length === 0 ? {} : { mcp_meta: Object.fromEntries(own) };
}
