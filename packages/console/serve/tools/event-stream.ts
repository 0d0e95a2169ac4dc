const PING_MS = 15_000;
/** Events that may wait for a slow reader; a page that reads nothing loses the rest and loads the list again. */
const MAX_QUEUED = 1000;

type Send = (event: string, data: unknown) => void;

/** Server-sent events until `signal` aborts. */
export function eventStream(signal: AbortSignal, start: (send: Send) => void): Response {
  const encoder = new TextEncoder();
  let ping: NodeJS.Timeout | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const write = (text: string) => {
          if (!signal.aborted && (controller.desiredSize ?? 0) > 0) controller.enqueue(encoder.encode(text));
        };
        write(": open\n\n");
        ping = setInterval(() => write(": ping\n\n"), PING_MS);
        signal.addEventListener(
          "abort",
          () => {
            clearInterval(ping);
            try {
              controller.close();
            } catch {
              // Cancelled already.
            }
          },
          { once: true },
        );
        start((event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
      },
      cancel: () => clearInterval(ping),
    },
    new CountQueuingStrategy({ highWaterMark: MAX_QUEUED }),
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" },
  });
}
