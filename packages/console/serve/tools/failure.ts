import { json } from "./json-response.ts";

/** Becomes an error response of the tools API. */
export class ApiFailure extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The library masks the messages of its own errors. Any other could show a path or a value, and says nothing here. */
export function toResponse(error: unknown): Response {
  // Input that does not fit, or a call that would fail before it is sent: the client says why.
  const isRefused = (error as Error).name === "MCIClientError";
  const [status, code] =
    error instanceof ApiFailure
      ? [error.status, error.code]
      : isRefused
        ? [400, (error as Error & { code: string }).code]
        : [500, "internal"];
  const isOurs = error instanceof ApiFailure || isRefused;
  const message = isOurs ? (error as Error).message : "The request failed inside the server.";
  return json({ error: { code, message, details: [] } }, status);
}
