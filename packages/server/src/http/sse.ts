export interface ServerEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

const PING_MS = 15_000;
/** Pings in a row that find the last event still unread before the client is given up: two minutes. */
const MOST_UNREAD = 8;

/**
 * A response that sends events as they come, with a comment now and then so that nothing in between loses patience. Nothing is
 * prepared for a client that does not read, and one that never does is cut off: what it could read would be held for ever.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent>,
  headers: Readonly<Record<string, string>> = {},
  pingMs = PING_MS,
): Response {
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let ping: NodeJS.Timeout | undefined;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // An early byte tells the client that it was heard, and when to come back if it is cut off.
      controller.enqueue(encoder.encode("retry: 1000\n\n"));
      let unread = 0;
      ping = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) {
          unread = 0;
          controller.enqueue(encoder.encode(": ping\n\n"));
        } else if (++unread === MOST_UNREAD) {
          clearInterval(ping);
          controller.error(new Error("the client does not read"));
          void iterator.return?.();
        }
      }, pingMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        if (!done) {
          controller.enqueue(encoder.encode(format(value)));
          return;
        }
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      clearInterval(ping);
    },
    async cancel() {
      clearInterval(ping);
      await iterator.return?.();
    },
  });
  return new Response(stream, {
    headers: {
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store",
      "x-accel-buffering": "no",
      ...headers,
    },
  });
}

function format({ data, event, id }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  // JSON never holds a raw line break, but a reader should not have to trust that.
  return `${[...lines, ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)].join("\n")}\n\n`;
}
