import type { Dispatcher } from "undici";
import { ToolError } from "../../errors.ts";
import type { HttpAgent } from "./agent.ts";
import { type RequestPhase, RequestTimeout } from "./errors.ts";
import type { HeaderList } from "./headers.ts";
import type { Method } from "./request.ts";

/** One request on the wire. */
export interface WireRequest {
  readonly method: Method;
  readonly origin: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array | undefined;
  /** Only to public addresses. */
  readonly publicOnly: boolean;
}

/** What came back, as it came. */
export interface RawResponse {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Only the beginning of the body was read. */
  readonly truncated: boolean;
}

const EXCERPT_BYTES = 64 * 1024;

/** Methods that may be sent again when a kept-alive connection turns out to have been closed. */
const IDEMPOTENT = new Set<Method>(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Sends one request and reads its response. Rejects with undici's error, the signal's reason, or `http_response_limit`. */
export async function sendRequest(
  agent: HttpAgent,
  request: WireRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<RawResponse> {
  if (request.publicOnly && agent.usesProxy(request.origin))
    await agent.checkBehindProxy(request.origin, signal);
  try {
    return await dispatch(agent, request, signal, maxBytes);
  } catch (error) {
    // The server may close an idle connection at the moment we use it. That is not a response, and no failed attempt either.
    if (!IDEMPOTENT.has(request.method) || !agent.wasReached(request.origin) || !isConnectionClosed(error))
      throw error;
    return await dispatch(agent, request, signal, maxBytes);
  }
}

function isConnectionClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(String(error.code))
  );
}

function dispatch(
  agent: HttpAgent,
  request: WireRequest,
  signal: AbortSignal,
  maxBytes: number,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const handler = new ResponseHandler(agent, request, signal, maxBytes, resolve, reject);
    const { method, origin, path, headers, body } = request;
    agent.enqueue(handler);
    try {
      agent
        .dispatcher(origin, request.publicOnly)
        .dispatch({ method, origin, path, headers: headers as string[], body }, handler);
    } catch (error) {
      handler.onResponseError(undefined, error as Error);
    }
  });
}

/** undici's own `request` would put a stream in between, and would not notice an abort while it is still connecting. */
class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly origin: string;
  readonly #agent: HttpAgent;
  readonly #method: Method;
  readonly #signal: AbortSignal;
  readonly #maxBytes: number;
  readonly #resolve: (response: RawResponse) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.#abort();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #reason = "";
  #headers: RawResponse["headers"] = {};
  #controller: Dispatcher.DispatchController | undefined;
  /** The body of an error or a redirect: only its beginning is read. */
  #isExcerpt = false;
  #settled = false;
  #phase: RequestPhase = "connecting";
  #phaseStarted = performance.now();

  constructor(
    agent: HttpAgent,
    { method, origin }: WireRequest,
    signal: AbortSignal,
    maxBytes: number,
    resolve: (response: RawResponse) => void,
    reject: (error: unknown) => void,
  ) {
    this.origin = origin;
    this.#agent = agent;
    this.#method = method;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#agent.dequeue(this);
    this.#controller = controller;
    this.#enter("waiting");
    if (this.#settled) controller.abort(new Error("given up"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: RawResponse["headers"],
    reason?: string,
  ): void {
    if (status < 200) return;
    this.#enter("reading");
    this.#status = status;
    this.#reason = reason ?? "";
    this.#headers = headers;
    this.#isExcerpt = status >= 400 || (status >= 300 && headers["location"] !== undefined);
    const declaredLength = this.#method === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
    if (!this.#isExcerpt && declaredLength > this.#maxBytes)
      this.#fail(responseTooLarge(this.#maxBytes, { status_code: this.#status }));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (!this.#isExcerpt) {
      if (this.#size > this.#maxBytes)
        this.#fail(responseTooLarge(this.#maxBytes, { status_code: this.#status }));
    } else if (this.#size > Math.min(EXCERPT_BYTES, this.#maxBytes)) {
      this.#succeed(true);
      this.#controller?.abort(new Error("enough"));
    }
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#agent.dequeue(this);
    if (this.#markSettled()) this.#reject(this.#agent.explain(this.origin, error));
  }

  #succeed(truncated: boolean): void {
    if (!this.#markSettled()) return;
    this.#agent.markReached(this.origin);
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, reason: this.#reason, headers: this.#headers, body, truncated });
  }

  /** Aborting the controller destroys the socket. */
  #fail(error: Error): void {
    if (this.#markSettled()) this.#reject(error);
    this.#controller?.abort(error);
  }

  #abort(): void {
    const reason = this.#signal.reason as Error;
    const isTimeout = reason instanceof ToolError && reason.code === "http_timeout";
    const phaseMs = performance.now() - this.#phaseStarted;
    this.#fail(isTimeout ? new RequestTimeout(reason, this.#phase, phaseMs) : reason);
    this.#agent.cancelPending(this);
  }

  #enter(phase: RequestPhase): void {
    this.#phase = phase;
    this.#phaseStarted = performance.now();
  }

  #markSettled(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    return true;
  }
}

export function responseTooLarge(maxBytes: number, metadata?: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError(
    "http_response_limit",
    `The response is larger than the limit of ${maxBytes} bytes. Ask the server for less (a filter, a page size), or raise maxResponseBytes.`,
    { metadata },
  );
}
