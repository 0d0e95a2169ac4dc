import { ToolError } from "../../errors.ts";
import { ProxyError } from "../../proxy/proxy-error.ts";
import { RetryableError } from "./retry.ts";

/** Code of the error that a connection fails with when it would lead to an address that is not public. */
export const PRIVATE_ADDRESS = "ERR_PRIVATE_ADDRESS";
/** The same where a proxy would connect to a host whose address is not known here. */
export const UNKNOWN_ADDRESS = "ERR_UNKNOWN_ADDRESS";

/** What to throw for a failed exchange: a `ToolError` as it is, anything else explained; worth another try or not. */
export function networkError(error: unknown, method: string, displayUrl: string, redirected: boolean): Error {
  if (error instanceof ToolError) return explainTimeout(error, method, displayUrl);
  const cause = error as Error & { code?: unknown };
  const code = String(cause.code ?? cause.name);
  if (code === PRIVATE_ADDRESS || code === UNKNOWN_ADDRESS)
    return privateNetwork(displayUrl, redirected, NOT_PUBLIC[code]);
  if (error instanceof ProxyError) {
    const failure = new ToolError("http_network", `${method} ${displayUrl} failed: ${error.message}.`, {
      cause,
    });
    return error.isPermanent ? failure : new RetryableError(failure);
  }
  const failure = new ToolError(
    "http_network",
    `${method} ${displayUrl} failed: ${explain(code, cause.message)}`,
    { cause },
  );
  return PERMANENT.test(code) ? failure : new RetryableError(failure);
}

/** The sentence callers know, then the place, and what the request was waiting for. */
function explainTimeout(error: ToolError, method: string, displayUrl: string): ToolError {
  if (error.code !== "http_timeout" || error.message.includes("\n")) return error;
  const waiting = error instanceof RequestTimeout ? `: ${WAITING[error.phase](error.phaseMs)}` : "";
  return new ToolError(
    error.code,
    `${error.message}\n${method} ${displayUrl} did not finish in time${waiting}. Raise timeout_ms if it needs longer.`,
  );
}

/** What a request does when its time is up. */
export type RequestPhase = "connecting" | "waiting" | "reading";

const WAITING: Readonly<Record<RequestPhase, (ms: number) => string>> = {
  connecting: (ms) => `no connection after ${ms}ms`,
  waiting: (ms) => `connected and sent, but no response after ${ms}ms`,
  reading: (ms) => `the response began, but was not complete after ${ms}ms`,
};

/** The deadline passed in this phase, which had lasted for that time. */
export class RequestTimeout extends ToolError {
  readonly phase: RequestPhase;
  readonly phaseMs: number;

  constructor(timeout: ToolError, phase: RequestPhase, phaseMs: number) {
    super(timeout.code, timeout.message);
    this.phase = phase;
    this.phaseMs = Math.round(phaseMs);
  }
}

const NOT_PUBLIC = {
  [PRIVATE_ADDRESS]: "which is not a public address",
  [UNKNOWN_ADDRESS]:
    "which a proxy would look up: the name does not resolve here, so whether its address is public is unknown",
} as const;

function privateNetwork(displayUrl: string, redirected: boolean, why: string): ToolError {
  return redirected
    ? new ToolError(
        "http_redirect",
        `The server redirects to ${displayUrl}, ${why}; that is refused. If it is meant to, set allowPrivateNetwork: true on the tool's execution.`,
      )
    : new ToolError(
        "private_network",
        `The caller chose ${displayUrl}, ${why}; that is refused. If callers may reach the private network, set allowPrivateNetwork: true on the tool's execution.`,
      );
}

/** Certificates and malformed requests do not get better by trying again. */
const PERMANENT =
  /CERT|ERR_TLS|ERR_SSL|UNABLE_TO|SELF_SIGNED|UND_ERR_INVALID_ARG|UND_ERR_NOT_SUPPORTED|UND_ERR_DESTROYED|UND_ERR_CLOSED/;

const EXPLANATIONS: readonly (readonly [pattern: RegExp, explanation: string])[] = [
  [/^ECONNREFUSED$/, "nothing listens there. Check the address and the port, and that the server is running"],
  [/^ENOTFOUND$/, "the host name does not exist. Check its spelling"],
  [/^EAI_/, "the host name could not be looked up. Check the network and its name server"],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    "the server closed the connection before its response was complete",
  ],
  [
    /^(ETIMEDOUT|UND_ERR_CONNECT_TIMEOUT|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/,
    "the host could not be reached. Check the address, the network and firewalls",
  ],
  [/^ERR_SSL|^EPROTO$/, "no secure connection could be made. Check that the server speaks https"],
  [/CERT|ERR_TLS|UNABLE_TO|SELF_SIGNED/, "the server's certificate is not trusted"],
  [/^UND_ERR_(?:DESTROYED|CLOSED)$/, "the client was closed"],
  [/^HPE_|^UND_ERR_(?:HEADERS_OVERFLOW|RES_CONTENT_LENGTH_MISMATCH)$/, "the response is not valid HTTP"],
];

function explain(code: string, message: string): string {
  const entry = EXPLANATIONS.find(([pattern]) => pattern.test(code));
  return entry ? `${entry[1]} (${code}).` : `${message} (${code}).`;
}
