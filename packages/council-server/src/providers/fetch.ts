import {
  type ClientRequest,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from "node:http";
import { request as overHttps } from "node:https";
import { urlToHttpOptions } from "node:url";

/** Many times what a model writes in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for providers. A response that never ends must not fill this process's memory, so a very long one fails; and
 * answers are not read in pieces, so one is gathered without the streams of the built-in `fetch`, which would be most of the work.
 * Connections are pooled and shared. A redirect is not followed: the key and the prompt go where the settings say.
 */
export function boundedFetch(maxBytes = MAX_BYTES): typeof fetch {
  // The calls of a model go to one address: it is read once.
  let read: { readonly address: string; readonly options: RequestOptions } | undefined;
  return async (input, init = {}) => {
    const address = String(input);
    if (read?.address !== address) read = { address, options: urlToHttpOptions(new URL(address)) };
    const { options } = read;
    const { method = "GET", headers, body, signal } = init;
    signal?.throwIfAborted();
    const request = (options.protocol === "https:" ? overHttps : overHttp)({
      ...options,
      method,
      // What does not come packed cannot unpack to more than it seems.
      headers: { ...(headers as Record<string, string>), "accept-encoding": "identity" },
    });
    const sent = performance.now();
    const abort = () => request.destroy(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    try {
      const gathered = gather(request, maxBytes);
      request.end(body as string | undefined);
      return toResponse(await gathered);
    } catch (error) {
      request.destroy();
      throw isStale(request, error, performance.now() - sent) ? new StaleConnectionError(error) : error;
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

function isStale({ reusedSocket }: ClientRequest, error: unknown, afterMs: number): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return reusedSocket && afterMs < STALE_WITHIN_MS && (code === "ECONNRESET" || code === "EPIPE");
}

const STALE_WITHIN_MS = 1000;

interface Gathered {
  readonly head: IncomingMessage;
  readonly body: Buffer;
}

/** Anything else that servers put into that header, such as "utf-8" or nothing, leaves the bytes as they are. */
const PACKED = /gzip|compress|deflate|\bbr\b|zstd/i;

function gather(request: ClientRequest, maxBytes: number): Promise<Gathered> {
  return new Promise((resolve, reject) => {
    request.on("error", reject);
    let isAnswered = false;
    // A switch to another protocol, which was not asked for, ends in neither a response nor an error.
    request.on("close", () => {
      if (!isAnswered) reject(new Error("the connection ended without a response"));
    });
    request.on("response", (head) => {
      isAnswered = true;
      const packed = PACKED.exec(head.headers["content-encoding"] ?? "")?.[0];
      if (packed !== undefined)
        reject(new Error(`the response is compressed (${packed}), which the request did not accept`));
      const chunks: Buffer[] = [];
      let size = 0;
      head.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) reject(new Error(`the response is longer than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      head.on("end", () => resolve({ head, body: Buffer.concat(chunks) }));
      const onTruncated = (cause?: Error) =>
        reject(new Error("the connection ended in the middle of the response", { cause }));
      head.on("error", onTruncated).on("close", () => {
        if (!head.complete) onTruncated();
      });
    });
  });
}

/**
 * What readers of a whole answer use of a `Response`. A real one would wrap the bytes in a stream, only for them to be read
 * back out of it: that and its headers cost as much as the rest of the call.
 */
function toResponse({ head, body }: Gathered): Response {
  const status = failedStatus(head.statusCode ?? 0, body);
  const { statusMessage: statusText } = head;
  const headers = new Map<string, string>();
  for (const name in head.headers) headers.set(name, String(head.headers[name]));
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
