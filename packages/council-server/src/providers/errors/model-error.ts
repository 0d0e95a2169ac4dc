import { APICallError } from "@ai-sdk/provider";
import { ModelError } from "@mci-ts/council";
import type { FullDialect } from "../dialects/index.ts";
import { type ProviderErrorBody, readErrorBody } from "./error-body.ts";
import { dateOf } from "./rate-limit-headers.ts";
import { redactKeys } from "./redact.ts";

/** A provider that has too much to do: 429, or its own way to say so. The limiter waits and sends the call again. */
export class ThrottledError extends ModelError {}

/** Whatever a provider call threw, as the engine understands it; secrets and long bodies stay out of the message. */
export function toModelError(
  error: unknown,
  { model, dialect, secrets }: { model: string; dialect: FullDialect; secrets: readonly string[] },
): ModelError {
  if (error instanceof ModelError) return error;
  const call = APICallError.isInstance(error) ? error : undefined;
  const status = call?.statusCode;
  const text = call?.responseBody ?? "";
  const body = readErrorBody(text);
  const kind = kindOf(status, text, body, dialect);
  const explanation = redact(describe(error, status, text, body) + advice(kind, call, body), secrets);
  const retryAfterMs = (call?.responseHeaders && readRetryAfter(call.responseHeaders)) ?? body.retryAfterMs;
  const options = {
    retryable: kind === "throttled" || kind === "transient",
    ...(status === undefined ? {} : { status }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(kind === "context_overflow" ? { contextOverflow: true } : {}),
    cause: error,
  };
  const message = `${model}: ${status === undefined || isSuccess(status) ? "" : `HTTP ${status}: `}${explanation}`;
  return kind === "throttled" ? new ThrottledError(message, options) : new ModelError(message, options);
}

type Kind = "throttled" | "transient" | "out_of_money" | "context_overflow" | "moved" | "refused";

function kindOf(
  status: number | undefined,
  text: string,
  body: ProviderErrorBody,
  dialect: FullDialect,
): Kind {
  // No status: the network failed. Below 300: the answer is not JSON.
  if (status === undefined || isSuccess(status)) return "transient";
  if (isRedirect(status)) return "moved";
  // An empty account answers 429 as well, and will do so tomorrow.
  if (status === 402 || dialect.outOfMoney.test(text)) return "out_of_money";
  if (status < 500 && isContextOverflow(body, dialect)) return "context_overflow";
  const { statuses, words } = dialect.overloaded;
  if (status === 429 || statuses?.includes(status)) return "throttled";
  if (status >= 500 && words?.test(text)) return "throttled";
  return status === 408 || status === 409 || status === 425 || status >= 500 ? "transient" : "refused";
}

export const isContextOverflow = (
  { message, code, type }: ProviderErrorBody,
  { contextOverflow }: FullDialect,
) => contextOverflow.test(`${code} ${type} ${message}`);

function describe(error: unknown, status: number | undefined, text: string, body: ProviderErrorBody): string {
  if (body.message !== "") return body.message;
  if (!isSuccess(status)) return error instanceof Error ? error.message : String(error);
  // At a wrong address there is often a web page instead of a model.
  const began = text.trim().slice(0, MAX_BODY_CHARS);
  return `no chat completion, but ${began === "" ? "nothing" : JSON.stringify(began)}`;
}

function advice(kind: Kind, call: APICallError | undefined, { message }: ProviderErrorBody): string {
  switch (kind) {
    case "moved":
      return ` to ${call?.responseHeaders?.["location"] ?? "nowhere"}, which is not followed: ask there`;
    case "out_of_money":
      return " (the account has no credit left; a retry does not help)";
    case "context_overflow":
      return " (the request does not fit the model's context: shorten it, or choose a model with a larger one)";
    default:
      // A model that does not exist is explained by the API itself.
      return call?.statusCode === 404 && message === ""
        ? " (there is no chat API at this address: that of most servers ends in /v1)"
        : "";
  }
}

const MAX_BODY_CHARS = 1000;
/** What is searched for keys; far more than is shown of a message. */
const MAX_SEARCHED_CHARS = 20_000;

const isSuccess = (status = 0) => status > 0 && status < 300;
const isRedirect = (status = 0) => status >= 300 && status < 400;

/** `retry-after-ms`, or `retry-after` as seconds or as a date. */
export function readRetryAfter(
  headers: Readonly<Record<string, string>>,
  now = dateOf(headers["date"]),
): number | undefined {
  const exact = Number(headers["retry-after-ms"] || Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const text = headers["retry-after"];
  if (!text) return undefined;
  const seconds = Number(text);
  const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(text) - now;
  return Number.isFinite(ms) ? Math.max(0, ms) : undefined;
}

/** Keys are masked before the message is cut to its length: of one that is cut off, the beginning might be too short to be found. */
function redact(message: string, secrets: readonly string[]): string {
  const text = redactKeys(message.slice(0, MAX_SEARCHED_CHARS), secrets);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
