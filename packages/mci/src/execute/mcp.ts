import { ToolError } from "../errors.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { ContentItem } from "../result.ts";
import type { McpExecution } from "../schema/execution.ts";
import { OMITTED, type Scope, type TemplateString } from "../template-api.ts";
import type { Executor } from "./executor.ts";

interface McpPlan {
  readonly serverName: string;
  readonly toolName: string;
  readonly timeout: number | TemplateString | undefined;
}

/** Calls a tool of an MCP server, on the session that the pool keeps. */
export const mcp: Executor<McpExecution, McpPlan, McpPool | undefined> = {
  compile: ({ serverName, toolName, timeout_ms }, compile, place) => ({
    serverName,
    toolName,
    timeout: typeof timeout_ms === "string" ? compile.text(timeout_ms, [...place, "timeout_ms"]) : timeout_ms,
  }),

  open: ({ mcp }) => mcp,

  async run(plan, { scope, callerSignal, onProgress }, pool) {
    const { serverName, toolName } = plan;
    const metadata = { mcp_server: serverName, mcp_tool: toolName };
    if (!pool?.has(serverName)) {
      const message = `MCP server '${serverName}' not registered in main schema`;
      throw new ToolError("invalid_config", message, { metadata });
    }
    try {
      // The server may repeat its own settings in an error.
      for (const secret of pool.secrets(serverName)) scope.onEnv(secret);
      const timeoutMs = milliseconds(plan.timeout, scope);
      const result = await pool.callTool(serverName, toolName, scope.props, {
        // Closing the client closes the session, which ends the call: no signal need be made for that.
        signal: callerSignal,
        timeoutMs,
        onProgress,
      });
      return {
        content: result.content as readonly ContentItem[],
        isError: result.isError ?? false,
        structuredContent: result.structuredContent,
        metadata: { ...metadata, ...ownMeta(result._meta) },
      };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      const message = `Failed to execute MCP tool '${toolName}': ${error.message}`;
      throw new ToolError(error.code, message, {
        cause: error,
        metadata: { ...error.metadata, ...metadata },
      });
    }
  },
};

/** What the server added for its users; the protocol's own entries are of no use to them. */
function ownMeta(meta: Readonly<Record<string, unknown>> = {}): { mcp_meta?: Record<string, unknown> } {
  const own = Object.entries(meta).filter(([key]) => !key.startsWith("io.modelcontextprotocol/"));
  return own.length === 0 ? {} : { mcp_meta: Object.fromEntries(own) };
}

/** 0 means the default. */
function milliseconds(timeout: McpPlan["timeout"], scope: Scope): number | undefined {
  if (timeout === undefined || typeof timeout === "number") return timeout || undefined;
  const rendered = timeout.render(scope);
  if (rendered === OMITTED) return undefined;
  if (/^\s*\d+\s*$/.test(rendered)) return Number(rendered) || undefined;
  throw new ToolError(
    "invalid_config",
    `timeout_ms must be a whole number, but '${timeout.source}' gave '${rendered}'.`,
  );
}
