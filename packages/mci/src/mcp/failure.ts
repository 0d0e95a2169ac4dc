import { ToolError, type ToolErrorCode } from "../errors.ts";
import { McpError, type McpFailure } from "./errors.ts";

const CODES: Readonly<Record<McpFailure, ToolErrorCode>> = {
  unavailable: "mcp_unavailable",
  not_sent: "mcp_unavailable",
  connection_lost: "mcp_unavailable",
  timeout: "mcp_timeout",
  refused: "mcp_failed",
  aborted: "aborted",
};

/** A failure as the other stages know it. What is not about MCP, such as a template's error, stays what it is. */
export function toToolError(error: unknown): unknown {
  return error instanceof McpError
    ? new ToolError(CODES[error.kind], error.message, { cause: error, hint: error.hint })
    : error;
}
