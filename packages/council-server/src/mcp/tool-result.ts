import type { CallToolResult } from "@modelcontextprotocol/server";
import type { ErrorBody, ModelResponse } from "../api/api-schemas.ts";

/** A response of the API as the result of a tool. */
export function toToolResult(body: ModelResponse | ErrorBody): CallToolResult {
  if ("error" in body) return toolError(`${body.error.code}: ${body.error.message}`);
  const { result } = body;
  const text = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  return {
    content: [{ type: "text", text }],
    structuredContent: body as unknown as Record<string, unknown>,
  };
}

export function toolError(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
