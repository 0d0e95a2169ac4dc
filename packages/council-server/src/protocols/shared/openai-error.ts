import type { Body, Protocol } from "../protocol.ts";

/** An error of chat completions and of Responses. */
export function openAiError(
  { code, message, details }: Parameters<Protocol["error"]>[0],
  status: number,
): Body {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { error: { message, type, param: details[0]?.path ?? null, code } };
}
