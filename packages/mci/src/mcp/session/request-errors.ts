import {
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from "@modelcontextprotocol/client";
import { PROXY_FAILED } from "../../proxy/proxy-error.ts";
import { McpError } from "../errors.ts";
import { STREAM_LOST } from "../http/transport.ts";

/** Network errors from before a request is sent. */
const NOT_CONNECTED = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
  PROXY_FAILED,
]);
/** With these a server says that the session has expired: it did nothing. */
const SESSION_UNKNOWN = new Set([400, 404]);
/** Characters of the SDK's message that are searched; it may hold the whole page. */
const MAX_MESSAGE = 2000;
/** Characters of a server's error page in a message. */
const MAX_BODY = 300;

type Mask = (text: string) => string;

export interface FailureContext {
  /** A part of the call was sent and answered before: it must not be sent again. */
  readonly wasSent?: boolean;
  /** How the server's process ended, if it did. */
  readonly ending?: string;
  /** The server gave this session an id, which it may forget. */
  readonly hasSessionId?: boolean;
  readonly mask?: Mask;
  readonly timeoutMs: number;
  readonly isAborted: boolean;
}

/** What an exception of the SDK means for a call. */
export function toRequestError(error: unknown, context: FailureContext): McpError {
  const failure = classify(error, context);
  if (failure.kind !== "not_sent" || !context.wasSent) return failure;
  return new McpError("connection_lost", lostMessage(context, failure.message), { cause: failure });
}

function classify(error: unknown, context: FailureContext): McpError {
  const fail = (kind: McpError["kind"], message: string) => new McpError(kind, message, { cause: error });
  if (error instanceof McpError) return error;
  if (context.isAborted) return fail("aborted", "The call was cancelled.");
  if (error instanceof ProtocolError) {
    if (error.code === STREAM_LOST) return fail("connection_lost", lostMessage(context));
    // Whose client it is decides what to do about it, and needs to know what is missing.
    const { code, data } = error;
    const isMissing = code === ProtocolErrorCode.MissingRequiredClientCapability;
    return new McpError("refused", error.message, {
      cause: error,
      ...(isMissing && { rpcCode: code, rpcData: data }),
    });
  }
  if (error instanceof SdkHttpError) {
    const isForgotten = context.hasSessionId && SESSION_UNKNOWN.has(error.status);
    return fail(isForgotten ? "not_sent" : "refused", httpStatus(error, context.mask));
  }
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return fail("timeout", timeoutMessage(context.timeoutMs));
    if (error.code === SdkErrorCode.ConnectionClosed) return fail("connection_lost", lostMessage(context));
    if (error.code === SdkErrorCode.NotConnected) return fail("not_sent", "the session is over");
    return fail("refused", summarizeIssues(error.message));
  }
  const isUnsent = NOT_CONNECTED.has(networkCode(error) ?? "") || isSessionOver(error);
  return isUnsent
    ? fail("not_sent", rootMessage(error))
    : fail("connection_lost", lostMessage(context, rootMessage(error)));
}

export const timeoutMessage = (timeoutMs: number) => `no response within ${timeoutMs} ms`;

/** The same for a handshake: no request was sent yet. */
export function toConnectError(
  error: unknown,
  { ending, hint, mask }: { ending?: string; hint?: string; mask?: Mask },
): McpError {
  if (error instanceof McpError && error.kind !== "not_sent") return error;
  const response = error instanceof SdkHttpError ? httpStatus(error, mask) : rootMessage(error);
  const message = ending === undefined ? response : `the server ${ending}`;
  return new McpError("unavailable", message, { cause: error, hint });
}

function lostMessage({ ending }: FailureContext, reason = "the connection broke off"): string {
  const what = ending === undefined ? reason : `the server ${ending}`;
  return `${what}. The call had been sent and may have taken effect, so it was not repeated`;
}

function httpStatus(error: SdkHttpError, mask: Mask = (text) => text): string {
  const page = typeof error.data["text"] === "string" ? mask(error.data["text"].trim()) : "";
  const text = page.slice(0, MAX_BODY).toWellFormed();
  // Only the SDK's own message says where a redirect leads that was not followed.
  const body =
    /Redirect (to|from) .*?(?= \(redirectPolicy|$)/.exec(error.message.slice(0, MAX_MESSAGE))?.[0] ?? text;
  return (
    `the server responded with ${error.status} ${error.statusText ?? ""}`.trimEnd() +
    (body === "" ? "" : `: ${body}`)
  );
}

/** What the SDK throws, as a plain error, when the session ended just before the request. */
const isSessionOver = (error: unknown) => error instanceof Error && error.message === "Not connected";

function networkCode(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ("code" in at && typeof at.code === "string") return at.code;
  }
  return undefined;
}

/** "fetch failed" says nothing; its cause does. */
function rootMessage(error: unknown): string {
  let message = String(error);
  for (let at = error; at instanceof Error; at = at.cause) if (at.message !== "") message = at.message;
  return summarizeIssues(message);
}

/** The SDK repeats its validator's whole report for a response that is not MCP; the fields are enough. */
function summarizeIssues(message: string): string {
  const start = message.search(/\[\s*\{/);
  if (start < 0) return message;
  try {
    const issues: { path?: unknown[]; message?: string }[] = JSON.parse(message.slice(start));
    const fields = issues.slice(0, MAX_ISSUES).map((issue) => {
      const path = (issue.path ?? []).join(".");
      return path === "" ? issue.message : `${path}: ${issue.message}`;
    });
    return `${message.slice(0, start)}${fields.join("; ")}`;
  } catch {
    return message;
  }
}

const MAX_ISSUES = 3;
