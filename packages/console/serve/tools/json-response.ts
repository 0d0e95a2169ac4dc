export function json(value: unknown, status = 200): Response {
  return Response.json(value, { status, headers: { "cache-control": "no-store" } });
}

/** One line of JSON for each value, as they come. */
export function lineStream(write: (send: (value: unknown) => void) => Promise<void>): Response {
  const encoder = new TextEncoder();
  let isOpen = true;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const send = (value: unknown) => {
        if (isOpen) controller.enqueue(encoder.encode(`${JSON.stringify(value)}\n`));
      };
      // Not awaited: a stream is not read before it has started.
      write(send).finally(() => isOpen && controller.close());
    },
    cancel() {
      isOpen = false;
    },
  });
  return new Response(body, {
    headers: { "content-type": "application/x-ndjson", "cache-control": "no-store" },
  });
}
