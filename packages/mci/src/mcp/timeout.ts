import { withDeadline } from "../abort.ts";
import { McpError } from "./errors.ts";

/** Runs `work` with a signal that aborts after `ms`, or when the caller's own does; both as `McpError`. */
export function withTimeout<T>(
  ms: number,
  caller: AbortSignal | undefined,
  timeoutError: string | { readonly message: string; readonly hint?: string },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { message, hint } = typeof timeoutError === "string" ? { message: timeoutError } : timeoutError;
  const reasons = { timeout: () => new McpError("timeout", message, { hint }), aborted: abortedError };
  return withDeadline(ms, caller, reasons, work);
}

export function abortedError(): McpError {
  return new McpError("aborted", "The call was cancelled.");
}
