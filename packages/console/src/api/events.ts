import { ApiError, send } from "./http.ts";

interface ServerEvent {
  readonly id: string | undefined;
  readonly type: string;
  readonly data: string;
}

const RECONNECT_MS = [500, 1000, 2000, 4000, 8000];
/** A line longer than this is not an event of the service. */
const MAX_LINE_CHARS = 32 * 1024 * 1024;

export interface FollowOptions {
  readonly signal: AbortSignal;
  /** Sent with each attempt, which is then a POST. Default: a GET. */
  readonly body?: unknown;
  /** The id of the event to go on after. Default: from the first. */
  readonly after?: string;
  readonly onEvent: (event: ServerEvent) => void;
  /** `reconnecting` when the stream was cut, `open` when it is back. */
  readonly onState?: (state: "open" | "reconnecting") => void;
  /** Whether this event ends the stream for good. */
  readonly isLast: (event: ServerEvent) => boolean;
}

/**
 * Follows a stream of server-sent events until its last event, across cut connections: each attempt names the last event
 * seen. Our own reader, because `EventSource` cannot send a token.
 */
export async function followEvents(
  path: string,
  { signal, body, after, onEvent, onState, isLast }: FollowOptions,
): Promise<void> {
  let lastId = after;
  let attempt = 0;
  while (!signal.aborted) {
    try {
      const response = await send(path, {
        signal,
        body,
        headers: {
          accept: "text/event-stream",
          ...(lastId === undefined ? {} : { "last-event-id": lastId }),
        },
      });
      if (response.status === 204 || !response.body) return;
      onState?.("open");
      attempt = 0;
      for await (const event of readEvents(response.body)) {
        lastId = event.id ?? lastId;
        onEvent(event);
        if (isLast(event)) return;
      }
    } catch (error) {
      if (signal.aborted) return;
      // A refusal stays a refusal; only a connection that is gone is worth another attempt.
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) throw error;
    }
    onState?.("reconnecting");
    await sleep(RECONNECT_MS[Math.min(attempt++, RECONNECT_MS.length - 1)]!, signal);
  }
}

async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<ServerEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader();
  let buffer = "";
  let id: string | undefined;
  let type = "message";
  let data: string[] = [];
  try {
    while (true) {
      const { done, value } = await reader.read();
      if (done) return;
      buffer += value;
      if (buffer.length > MAX_LINE_CHARS) throw new Error("The stream holds a line without end.");
      const lines = buffer.split("\n");
      buffer = lines.pop()!;
      for (const raw of lines) {
        const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
        if (line === "") {
          if (data.length > 0) yield { id, type, data: data.join("\n") };
          [type, data] = ["message", []];
        } else if (line.startsWith("id:")) id = line.slice(3).trim();
        else if (line.startsWith("event:")) type = line.slice(6).trim();
        else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
      }
    }
  } finally {
    await reader.cancel().catch(() => {});
  }
}

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
}
