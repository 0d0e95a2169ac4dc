import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";

/** Many times what a model writes in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `fetch` for providers. A response that never ends must not fill this process's memory, so a very long one fails; and nobody
 * reads an answer in pieces, so it is gathered without the streams of the built-in `fetch`, which would be most of the work.
 * Connections are kept and shared. A redirect is not followed: the key and the prompt go where the settings say.
 */
export function boundedFetch(maxBytes = MAX_BYTES): typeof fetch {
  const ask = async (url: URL, init: RequestInit, mayRepeat: boolean): Promise<Response> => {
    const { method = "GET", headers, body, signal } = init;
    signal?.throwIfAborted();
    const request = (url.protocol === "https:" ? overHttps : overHttp)(url, {
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
      if (mayRepeat && isStale(request, error, performance.now() - sent)) return ask(url, init, false);
      throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  };
  return async (input, init = {}) => ask(new URL(String(input)), init, true);
}

/**
 * A kept connection that the other side gave up just as it was used again: nobody failed to answer, nobody was asked. One that is
 * lost later may have been at work, which is for the engine to know and to count.
 */
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
    // A switch to another protocol, which was not asked for, ends in neither a response nor an error.
    const unanswered = () => reject(new Error("the connection ended without a response"));
    request.on("close", unanswered);
    request.on("response", (head) => {
      request.off("close", unanswered);
      const packed = PACKED.exec(head.headers["content-encoding"] ?? "")?.[0];
      if (packed !== undefined) reject(new Error(`the response is packed (${packed}), against our wish`));
      const chunks: Buffer[] = [];
      let size = 0;
      head.on("data", (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) reject(new Error(`the response is longer than ${maxBytes} bytes`));
        else chunks.push(chunk);
      });
      head.on("end", () => resolve({ head, body: Buffer.concat(chunks) }));
      const cut = (cause?: Error) =>
        reject(new Error("the connection ended in the middle of the response", { cause }));
      head.on("error", cut).on("close", () => {
        if (!head.complete) cut();
      });
    });
  });
}

/**
 * What readers of a whole answer use of a `Response`. A real one would wrap the bytes in a stream, only for them to be read
 * back out of it: that and its headers cost as much as the rest of the call.
 */
function toResponse({ head, body }: Gathered): Response {
  const { statusCode: status = 0, statusMessage: statusText, headers } = head;
  const response = {
    status,
    statusText,
    ok: status >= 200 && status < 300,
    headers: new Map(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: { getReader: () => readerOf(body) },
    text: async () => body.toString(),
    json: async () => JSON.parse(body.toString()),
  };
  return response as unknown as Response;
}

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
