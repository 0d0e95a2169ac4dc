/** Many times what a model writes in one answer. */
const MAX_BYTES = 16 * 1024 * 1024;

/** `fetch` for providers: a response that never ends must not fill this process's memory, so a very long one fails. */
export function boundedFetch(maxBytes = MAX_BYTES): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    const { body, headers } = response;
    // A length that was announced is kept to by HTTP itself, but says nothing about what unpacks from it.
    const length = headers.has("content-encoding")
      ? Number.NaN
      : Number(headers.get("content-length") ?? NaN);
    if (body === null || length <= maxBytes) return response;
    let left = maxBytes;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        left -= chunk.byteLength;
        if (left >= 0) controller.enqueue(chunk);
        else controller.error(new Error(`the response is longer than ${maxBytes} bytes`));
      },
    });
    return new Response(body.pipeThrough(bounded), response);
  };
}
