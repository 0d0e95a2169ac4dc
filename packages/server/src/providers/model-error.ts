import { APICallError } from "@ai-sdk/provider";
import { ModelError } from "@mci-ts/council";
import { readError } from "./refused-parameter.ts";

/** Whatever a provider call threw, as the engine understands it; secrets and long bodies stay out of the message. */
export function toModelError(error: unknown, model: string, secrets: readonly string[]): ModelError {
  if (error instanceof ModelError) return error;
  const status = APICallError.isInstance(error) ? error.statusCode : undefined;
  const headers = APICallError.isInstance(error) ? error.responseHeaders : undefined;
  const moved = isRedirect(status)
    ? ` to ${headers?.["location"] ?? "nowhere"}, which is not followed: ask there`
    : "";
  const said = redact((isAnswer(status) ? describeBody(error) : messageOf(error)) + moved, secrets);
  const retryAfterMs = headers && retryAfter(headers);
  return new ModelError(
    `${model}: ${status === undefined || isAnswer(status) ? "" : `HTTP ${status}: `}${said}`,
    {
      retryable: isRetryable(status, error),
      ...(status === undefined ? {} : { status }),
      ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
      cause: error,
    },
  );
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** Some endpoints say 200 and then what went wrong; others, found at a wrong address, are no models but web pages. */
function describeBody(error: unknown): string {
  const body = (APICallError.isInstance(error) && error.responseBody) || "";
  const { message } = readError(body);
  const began = body.trim().slice(0, MAX_BODY_CHARS);
  return message || `no chat completion, but ${began === "" ? "nothing" : JSON.stringify(began)}`;
}

const MAX_BODY_CHARS = 1000;

function isRetryable(status: number | undefined, error: unknown): boolean {
  // No status: the network failed. Below 300: the answer is not JSON.
  if (status === undefined || isAnswer(status)) return true;
  // An empty account answers 429 as well, and will do so tomorrow.
  if (APICallError.isInstance(error) && /insufficient_quota/.test(error.responseBody ?? "")) return false;
  return status === 408 || status === 409 || status === 425 || status === 429 || status >= 500;
}

const isAnswer = (status = 0) => status > 0 && status < 300;
const isRedirect = (status = 0) => status >= 300 && status < 400;

/** `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function retryAfter(headers: Readonly<Record<string, string>>, now = Date.now()): number | undefined {
  const exact = Number(headers["retry-after-ms"] || Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const text = headers["retry-after"];
  if (!text) return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

function redact(message: string, secrets: readonly string[]): string {
  let text = message;
  for (const secret of secrets) text = text.replaceAll(secret, "[key]");
  // Providers like to quote part of the key they refuse.
  text = text.replace(/\b(sk|key|pk)-[\w*-]{6,}/gi, "[key]");
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
