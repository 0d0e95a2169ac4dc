import type { Socket } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import { Agent, buildConnector, loadFetch } from "../../undici.ts";
import { byteLimit, eventLimit } from "./stream-limits.ts";

type Connector = ReturnType<typeof buildConnector>;

/** Ends connection attempts whose requests were cancelled. */
const CONNECT_TIMEOUT_MS = 60_000;

/** The sockets of one session: fetch through them, and let go of all of them at once. */
export interface HttpAgent {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

export async function openHttpAgent(maxMessageBytes: number): Promise<HttpAgent> {
  const fetch = await loadFetch();
  // The caller sets deadlines: a tool may take longer than any default.
  const settings = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect: unrefConnector() };
  const calls = new Agent({ ...settings, maxResponseSize: maxMessageBytes });
  // An event stream has no size limit, but each event has.
  const streams = new Agent(settings);
  const send = async (url: string | URL, init?: RequestInit) => {
    const isCall = init?.method === "POST";
    const response = await fetch(url, { ...(init as object), dispatcher: isCall ? calls : streams });
    return limited(response as unknown as Response, isCall, maxMessageBytes);
  };
  return {
    fetch: send,
    close: async () => {
      await Promise.allSettled([calls.destroy(), streams.destroy()]);
    },
  };
}

/** What the agent counts is what comes over the wire: not enough where that is packed, or without end. */
function limited(response: Response, isCall: boolean, maxBytes: number): Response {
  const { body, headers } = response;
  const isStream = headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const isCounted = !headers.has("content-encoding") && (isCall || !isStream);
  if (body === null || isCounted) return response;
  return new Response(body.pipeThrough(isStream ? eventLimit(maxBytes) : byteLimit(maxBytes)), response);
}

/**
 * Sockets that never keep the process from exiting. A call in flight has a timer that does; an open but idle
 * event stream must not.
 */
function unrefConnector(): Connector {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error ? callback(error, null) : callback(null, unref(socket!)),
    );
}

function unref<T extends Socket>(socket: T): T {
  socket.unref();
  // The agent takes hold of a socket again with each request.
  socket.ref = () => socket;
  return socket;
}
