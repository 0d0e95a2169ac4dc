import type { Body, Protocol } from "../protocol.ts";

export function messagesError({ message, code }: Parameters<Protocol["error"]>[0], status: number): Body {
  const type = ERROR_TYPES[status] ?? (status >= 500 ? "api_error" : "invalid_request_error");
  const isThread = message.startsWith(NO_THREADS);
  return {
    type: "error",
    // Clients that know this code send the whole conversation instead.
    error: {
      type,
      message,
      code,
      ...(isThread && { details: { error_code: "thread_unsupported_request", unsupported: ["thread"] } }),
    },
  };
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
};

/** The service stores no conversation: each request has all of it. */
const NO_THREADS = "thread is not supported";
