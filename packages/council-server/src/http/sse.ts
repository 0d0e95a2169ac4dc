import type { Log } from "@mci-ts/council";
export interface ServerEvent {
  readonly data: string;
  readonly event?: string;
  readonly id?: string;
}

const PING_MS = 15_000;
/** Consecutive pings that find the last event still unread before the connection is closed: two minutes. */
const MAX_UNREAD_PINGS = 8;

export interface StreamOptions {
  /** The connection that the events are sent to. */
  readonly outgoing: { destroy(): unknown };
  /** Called with one line when a connection is closed early. */
  readonly log: Log;
  /** Extra response headers. Default: none. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * The event that keeps the connection alive, for protocols whose clients do not expect comments. Default: comments do, and `retry`
   * tells the client when to reconnect.
   */
  readonly keepAlive?: () => ServerEvent;
  /** Default 15 seconds. */
  readonly pingMs?: number;
}

/**
 * A response that sends events as they arrive, with regular keep-alive comments for proxies. Backpressure applies: nothing is
 * prepared for a client that does not read, and a client that never reads is disconnected so that its events are not held forever.
 */
export function eventStream(
  events: AsyncIterable<ServerEvent>,
  { outgoing, log, headers = {}, keepAlive, pingMs = PING_MS }: StreamOptions,
): Response {
  // Destroying the connection also cancels the stream. An error in the stream would be printed by the web server with its stack.
  const disconnect = (reason: string) => {
    log(`stream: ${reason}; the connection was closed`);
    outgoing.destroy();
  };
  const iterator = events[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  const ping = () => (keepAlive ? formatEvent(keepAlive()) : ": ping\n\n");
  let timer: NodeJS.Timeout | undefined;
  let cancelled = false;
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      // An early byte confirms the request, and tells the client when to reconnect.
      if (!keepAlive) controller.enqueue(encoder.encode("retry: 1000\n\n"));
      let unread = 0;
      timer = setInterval(() => {
        if ((controller.desiredSize ?? 0) > 0) {
          unread = 0;
          controller.enqueue(encoder.encode(ping()));
        } else if (++unread === MAX_UNREAD_PINGS) {
          clearInterval(timer);
          disconnect(`a client read nothing for ${(pingMs * MAX_UNREAD_PINGS) / 1000} s`);
        }
      }, pingMs);
    },
    async pull(controller) {
      try {
        const { done, value } = await iterator.next();
        // The client disconnected while the next event was awaited.
        if (cancelled) return;
        if (!done) {
          controller.enqueue(encoder.encode(formatEvent(value)));
          return;
        }
        controller.close();
      } catch (error) {
        if (!cancelled)
          disconnect(`producing events failed: ${error instanceof Error ? error.stack : error}`);
      }
      clearInterval(timer);
    },
    async cancel() {
      cancelled = true;
      clearInterval(timer);
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
  // JSON has no raw line breaks, but other data may.
  return `${[...lines, ...data.split(/\r\n|\r|\n/).map((line) => `data: ${line}`)].join("\n")}\n\n`;
}
