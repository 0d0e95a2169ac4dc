import { ToolError, type ToolErrorCode } from "../errors.ts";

/**
 * What went wrong with an MCP server. It decides whether a call may be repeated: only one that was never sent may;
 * the others may have taken effect already.
 */
export type McpFailure =
  /** The server could not be started or reached, or the handshake failed. */
  | "unavailable"
  /** The session broke before the call was sent. */
  | "not_sent"
  /** The session broke after the call was sent. */
  | "connection_lost"
  | "timeout"
  /** The server responded with an error. */
  | "refused"
  | "aborted"
  /** A person has to log in first. Nothing was done. */
  | "login_required"
  /** The server asked for input, and there was no one to ask. */
  | "input_required"
  /** A file of a skill is not what the entry of the skill says. */
  | "skill_mismatch";

/** Thrown by everything that talks to an MCP server; executors and loaders turn it into their own error. */
export class McpError extends Error {
  override readonly name = "McpError";
  readonly kind: McpFailure;
  /** What to do about it. Holds no value of the server's settings. */
  readonly hint: string | undefined;

  /** The code of the protocol, where a task of the server has failed with it, or the server needs what the client did not declare. */
  readonly rpcCode: number | undefined;
  readonly rpcData: unknown;

  constructor(
    kind: McpFailure,
    message: string,
    options: { cause?: unknown; hint?: string; rpcCode?: number; rpcData?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.hint = options.hint;
    this.rpcCode = options.rpcCode;
    this.rpcData = options.rpcData;
  }
}

const CODES: Readonly<Record<McpFailure, ToolErrorCode>> = {
  unavailable: "mcp_unavailable",
  not_sent: "mcp_unavailable",
  connection_lost: "mcp_unavailable",
  timeout: "mcp_timeout",
  refused: "mcp_failed",
  aborted: "aborted",
  login_required: "login_required",
  input_required: "input_required",
  skill_mismatch: "mcp_failed",
};

/** A failure as the other stages know it. What is not about MCP, such as a template's error, stays what it is. */
export function toToolError(error: unknown): unknown {
  if (!(error instanceof McpError)) return error;
  const { hint, rpcCode, rpcData } = error;
  const metadata = {
    ...(rpcCode !== undefined && { mcp_error_code: rpcCode }),
    ...(rpcData !== undefined && { mcp_error_data: rpcData }),
  };
  return new ToolError(CODES[error.kind], error.message, { cause: error, hint, metadata });
}
