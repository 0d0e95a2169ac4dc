import type { Dispatcher } from "undici";
import { ToolError } from "../../errors.ts";
import type { HttpSession } from "./agent.ts";
import type { Method } from "./compile.ts";
import type { HeaderList } from "./headers.ts";

/** One request on the wire. */
export interface Wire {
  readonly method: Method;
  readonly origin: string;
  readonly path: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
  /** Only to public addresses. */
  readonly guarded: boolean;
}

/** What came back, as it came. */
export interface Reply {
  readonly status: number;
  readonly reason: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** Only the beginning of the body was read. */
  readonly cut: boolean;
}

const EXCERPT_BYTES = 64 * 1024;

/** Methods that may be sent again when a kept-alive connection turns out to have been closed. */
const IDEMPOTENT = new Set<Method>(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/** Sends one request and reads its answer. Rejects with undici's error, the signal's reason, or `http_response_limit`. */
export async function exchange(
  session: HttpSession,
  wire: Wire,
  signal: AbortSignal,
  maxBytes: number,
): Promise<Reply> {
  try {
    return await dispatch(session, wire, signal, maxBytes);
  } catch (error) {
    // The server may close an idle connection at the moment we use it. That is no answer, and no failed try either.
    if (!IDEMPOTENT.has(wire.method) || !session.hasAnswered(wire.origin) || !wasClosed(error)) throw error;
    return await dispatch(session, wire, signal, maxBytes);
  }
}

function wasClosed(error: unknown): boolean {
  return (
    error instanceof Error &&
    "code" in error &&
    ["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"].includes(String(error.code))
  );
}

function dispatch(session: HttpSession, wire: Wire, signal: AbortSignal, maxBytes: number): Promise<Reply> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const handler = new Exchange(session, wire, signal, maxBytes, resolve, reject);
    const { method, origin, path, headers, body } = wire;
    session.wait(handler);
    session
      .dispatcher(wire.guarded)
      .dispatch({ method, origin, path, headers: headers as string[], body }, handler);
  });
}

/** undici's own `request` would put a stream in between, and would not notice an abort while it is still connecting. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly origin: string;
  readonly #session: HttpSession;
  readonly #method: Method;
  readonly #signal: AbortSignal;
  readonly #maxBytes: number;
  readonly #resolve: (reply: Reply) => void;
  readonly #reject: (error: unknown) => void;
  readonly #onAbort = () => this.#abort();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #status = 0;
  #reason = "";
  #headers: Reply["headers"] = {};
  #controller: Dispatcher.DispatchController | undefined;
  /** The body of an error or a redirect: only its beginning is read. */
  #isExcerpt = false;
  #settled = false;

  constructor(
    session: HttpSession,
    { method, origin }: Wire,
    signal: AbortSignal,
    maxBytes: number,
    resolve: (reply: Reply) => void,
    reject: (error: unknown) => void,
  ) {
    this.origin = origin;
    this.#session = session;
    this.#method = method;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
    signal.addEventListener("abort", this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#session.go(this);
    this.#controller = controller;
    if (this.#settled) controller.abort(new Error("given up"));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Reply["headers"],
    reason?: string,
  ): void {
    if (status < 200) return;
    this.#status = status;
    this.#reason = reason ?? "";
    this.#headers = headers;
    this.#isExcerpt = status >= 400 || (status >= 300 && headers["location"] !== undefined);
    const announced = this.#method === "HEAD" ? 0 : Number(headers["content-length"] ?? 0);
    if (!this.#isExcerpt && announced > this.#maxBytes)
      this.#fail(tooLarge(this.#maxBytes, { status_code: this.#status }));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    this.#chunks.push(chunk);
    this.#size += chunk.length;
    if (!this.#isExcerpt) {
      if (this.#size > this.#maxBytes) this.#fail(tooLarge(this.#maxBytes, { status_code: this.#status }));
    } else if (this.#size > Math.min(EXCERPT_BYTES, this.#maxBytes)) {
      this.#succeed(true);
      this.#controller?.abort(new Error("enough"));
    }
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#session.go(this);
    if (this.#settle()) this.#reject(error);
  }

  #succeed(cut: boolean): void {
    if (!this.#settle()) return;
    this.#session.answered(this.origin);
    const body = this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks, this.#size);
    this.#resolve({ status: this.#status, reason: this.#reason, headers: this.#headers, body, cut });
  }

  /** Aborting the controller destroys the socket. */
  #fail(error: Error): void {
    if (this.#settle()) this.#reject(error);
    this.#controller?.abort(error);
  }

  #abort(): void {
    this.#fail(this.#signal.reason as Error);
    this.#session.abandon(this);
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    this.#signal.removeEventListener("abort", this.#onAbort);
    return true;
  }
}

export function tooLarge(maxBytes: number, metadata?: Readonly<Record<string, unknown>>): ToolError {
  return new ToolError(
    "http_response_limit",
    `The response is larger than the limit of ${maxBytes} bytes. Ask the server for less (a filter, a page size), or raise maxResponseBytes.`,
    { metadata },
  );
}
