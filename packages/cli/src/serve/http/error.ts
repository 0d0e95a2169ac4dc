import type { ServerResponse } from "node:http";

/** Why a request is not served. */
export interface HttpError {
  readonly status: number;
  readonly message: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON-RPC's code, where it has one for this. Default -32000. */
  readonly code?: number;
}

/** Answers in the form MCP clients expect. */
export function sendError(
  response: ServerResponse,
  { status, message, headers = {}, code = -32_000 }: HttpError,
): void {
  const body = JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null });
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}
