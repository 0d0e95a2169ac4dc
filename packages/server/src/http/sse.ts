export interface ServerEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

const PING_MS = 15_000;
/** Pings in a row that find the last event still unread before the client is given up: two minutes. */
const MAX_UNREAD_PINGS = 8;

export interface StreamOptions {
  /** The connection the events go to, to be cut when need be. */
  readonly outgoing: { destroy(): unknown };
  /** Told in one line why a connection was cut. */
  readonly log: (message: string) => void;
  /** Default: none beside the stream's own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default 15 seconds. */
  readonly pingMs?: number;
}

/**
 * A response that sends events as they come, with a comment now and then so that nothing in between loses patience. Nothing is
 * prepared for a client that does not read, and one that never does is cut off: what it could read would be held for ever.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent>,
  { outgoing, log, headers = {}, pingMs = PING_MS }: StreamOptions,
): Response {
  // Cancels the stream as well. An error in the stream instead would be printed by the web server, stack and all.
  const cut = (reason: string) => {
    log(`stream: ${reason}; its connection was cut`);
    outgoing.destroy();
  };
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  let ping: NodeJS.Timeout | undefined;
  let over = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // An early byte tells the client that it was heard, and when to come back if it is cut off.
      controller.enqueue(encoder.encode("retry: 1000\n\n"));
      let unread = 0;
      ping = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) {
          unread = 0;
          controller.enqueue(encoder.encode(": ping\n\n"));
        } else if (++unread === MAX_UNREAD_PINGS) {
          clearInterval(ping);
          cut(`a client read nothing for ${(pingMs * MAX_UNREAD_PINGS) / 1000} s`);
        }
      }, pingMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        // The client left while the next event was waited for.
        if (over) return;
        if (!done) {
          controller.enqueue(encoder.encode(formatEvent(value)));
          return;
        }
        controller.close();
      } catch (error) {
        if (!over) cut(`its events failed: ${error instanceof Error ? error.stack : error}`);
      }
      clearInterval(ping);
    },
    async cancel() {
      over = true;
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

function formatEvent({ data, event, id }: ServerEvent): string {
  const lines = [
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...(event === undefined ? [] : [`event: ${event}`]),
  ];
  // JSON never holds a raw line break, but a reader should not have to trust that.
  return `${[...lines, ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)].join("\n")}\n\n`;
}
