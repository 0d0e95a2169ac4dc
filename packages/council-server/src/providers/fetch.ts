import type { Dispatcher } from "undici";
import Agent from "undici/lib/dispatcher/agent.js";
import Client from "undici/lib/dispatcher/client.js";
import EnvHttpProxyAgent from "undici/lib/dispatcher/env-http-proxy-agent.js";
import Pool from "undici/lib/dispatcher/pool.js";

/** Many times what a model writes in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for providers. A response that never ends must not fill this process's memory, so a very long one fails; and
 * answers are not read in pieces, so one is gathered without the streams of the built-in `fetch`, which would be most of the work.
 * Connections are pooled and shared. A redirect is not followed: the key and the prompt go where the settings say.
 */
export function boundedFetch(maxBytes = MAX_BYTES): typeof fetch {
  // The calls of a model go to one address: it is read once.
  let read: { readonly address: string; readonly url: URL } | undefined;
  return async (input, init = {}) => {
    const address = String(input);
    if (read?.address !== address) read = { address, url: new URL(address) };
    const { origin, pathname, search } = read.url;
    const { method = "GET", headers, body, signal } = init;
    signal?.throwIfAborted();
    const request = {
      origin,
      path: `${pathname}${search}`,
      method: method as Dispatcher.HttpMethod,
      // What does not come packed cannot unpack to more than it seems.
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
      body: body as string | undefined,
    };
    const { promise, resolve, reject } = Promise.withResolvers<Gathered>();
    const gathering = new Gathering(maxBytes, resolve, reject);
    const abort = () => gathering.fail(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      connections.dispatch(request, gathering);
      return toResponse(await promise);
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };
}

/**
 * A pooled connection that the other side closed just as it was reused: the provider has not seen the request, which may be sent
 * again at once. One that is lost later may have been at work.
 */
export class StaleConnectionError extends Error {
  override readonly name = "StaleConnectionError";
  readonly code: string | undefined;

  constructor(cause: unknown) {
    super("the provider closed a pooled connection as it was reused", { cause });
    this.code = (cause as NodeJS.ErrnoException).code;
  }
}

const STALE_WITHIN_MS = 1000;

/** The other side is gone. */
const LOST = new Set(["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"]);

const SETTINGS = {
  // One call, one socket: ending a call ends no other's.
  allowH2: false,
  connectTimeout: 60_000,
  // How long an answer may take is for the caller to say.
  headersTimeout: 0,
  bodyTimeout: 0,
};
/** Proxies are used where Node.js is told to use them. */
const connections: Dispatcher = usesEnvProxy()
  ? new EnvHttpProxyAgent(SETTINGS)
  : new Agent({
      ...SETTINGS,
      factory: (origin, pool) =>
        new Pool(origin, { ...pool, factory: (_, settings) => new Connection(origin, settings) }),
    });

function usesEnvProxy(): boolean {
  const { NODE_USE_ENV_PROXY, NODE_OPTIONS = "" } = process.env;
  return (
    NODE_USE_ENV_PROXY === "1" || [NODE_OPTIONS, ...process.execArgv].join(" ").includes("--use-env-proxy")
  );
}

interface Gathered {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Head;
  readonly body: Buffer;
}
type Head = Readonly<Record<string, string | string[] | undefined>>;

/** One of a pool, which opens its socket again when it was lost; for one call at a time. */
class Connection extends Client {
  /** Over the socket that it has now. */
  hasAnswered = false;

  constructor(origin: string | URL, settings: Client.Options) {
    super(origin, settings);
    this.on("disconnect", () => {
      this.hasAnswered = false;
    });
  }

  override dispatch(request: Dispatcher.DispatchOptions, gathering: Dispatcher.DispatchHandler): boolean {
    (gathering as Gathering).connection = this;
    return super.dispatch(request, gathering);
  }
}

/** A response while it arrives. */
class Gathering implements Dispatcher.DispatchHandler {
  readonly #maxBytes: number;
  readonly #resolve: (response: Gathered) => void;
  readonly #reject: (error: unknown) => void;
  readonly #sent = performance.now();
  readonly #chunks: Buffer[] = [];
  #size = 0;
  #head: Omit<Gathered, "body"> | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #isReused = false;
  #hasBegun = false;
  /** Absent behind a proxy, whose connections are not ours. */
  connection: Connection | undefined;

  constructor(maxBytes: number, resolve: (response: Gathered) => void, reject: (error: unknown) => void) {
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Ends the connection; one that is not open yet, as soon as it is. */
  fail(reason: Error): void {
    this.#failure = reason;
    this.#reject(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#isReused = this.connection?.hasAnswered ?? false;
    if (this.#failure) controller.abort(this.#failure);
  }

  onResponseStarted(): void {
    this.#hasBegun = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Head, statusText = ""): void {
    if (status < 200) return;
    this.#head = { status, statusText, headers };
    const packed = PACKED.exec(String(headers["content-encoding"] ?? ""))?.[0];
    if (packed !== undefined)
      this.fail(new Error(`the response is compressed (${packed}), which the request did not accept`));
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#size += chunk.length;
    if (this.#size > this.#maxBytes)
      this.fail(new Error(`the response is longer than ${this.#maxBytes} bytes`));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    if (this.connection) this.connection.hasAnswered = true;
    this.#resolve({ ...this.#head!, body: Buffer.concat(this.#chunks) });
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#head)
      this.#reject(new Error("the connection ended in the middle of the response", { cause: error }));
    else this.#reject(this.#isStale(error) ? new StaleConnectionError(error) : error);
  }

  #isStale({ code = "" }: NodeJS.ErrnoException): boolean {
    const isSoon = performance.now() - this.#sent < STALE_WITHIN_MS;
    return this.#isReused && !this.#hasBegun && isSoon && LOST.has(code);
  }
}

/** Anything else that servers put into that header, such as "utf-8" or nothing, leaves the bytes as they are. */
const PACKED = /gzip|compress|deflate|\bbr\b|zstd/i;

/**
 * What readers of a whole answer use of a `Response`. A real one would wrap the bytes in a stream, only for them to be read
 * back out of it: that and its headers cost as much as the rest of the call.
 */
function toResponse({ status: sent, statusText, headers: received, body }: Gathered): Response {
  const status = failedStatus(sent, body);
  const headers = new Map<string, string>();
  for (const name in received) headers.set(name, String(received[name]));
  const response = {
    status,
    statusText,
    ok: status >= 200 && status < 300,
    headers,
    body: { getReader: () => readerOf(body) },
    text: async () => body.toString(),
    json: async () => JSON.parse(body.toString()),
  };
  return response as unknown as Response;
}

/** Routers report a provider's failure inside HTTP 200: an `error`, and no answer. Its code is the status that was meant. */
function failedStatus(status: number, body: Buffer): number {
  if (status !== 200 || !body.subarray(0, ERROR_WITHIN_BYTES).includes('"error"')) return status;
  try {
    const { error, choices, content, candidates } = JSON.parse(body.toString());
    if (!error || choices?.length > 0 || content || candidates) return status;
    const code = Number(error.code ?? error.status);
    return code >= 400 && code <= 599 ? code : 502;
  } catch {
    return status;
  }
}

/** An error is short; answers that happen to speak of one are not read twice. */
const ERROR_WITHIN_BYTES = 4096;

function readerOf(body: Buffer) {
  let read = false;
  return {
    async read() {
      if (read) return { done: true };
      read = true;
      return { done: false, value: body };
    },
    async cancel() {},
    releaseLock() {},
  };
}
