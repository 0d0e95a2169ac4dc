import type { Socket } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import buildConnector from "undici/lib/core/connect.js";
import Agent from "undici/lib/dispatcher/agent.js";
import { fetch } from "undici/lib/web/fetch/index.js";
import { eventLimit } from "./event-limit.ts";

type Connector = ReturnType<typeof buildConnector>;

/** A connection attempt that nobody waits for any more ends by itself. */
const CONNECT_TIMEOUT_MS = 60_000;

/** The sockets of one session: fetch through them, and let go of all of them at once. */
export interface HttpAgent {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

export function openHttpAgent(maxMessageBytes: number): HttpAgent {
  // Deadlines are the caller's business: a tool may work in silence for longer than a default would wait.
  const settings = { allowH2: false, headersTimeout: 0, bodyTimeout: 0, connect: unheldConnector() };
  const calls = new Agent({ ...settings, maxResponseSize: maxMessageBytes });
  // A standing stream of events has no size, but each event has.
  const streams = new Agent(settings);
  const send = async (url: string | URL, init?: RequestInit) => {
    if (init?.method === "POST") return fetch(url, { ...(init as object), dispatcher: calls });
    const response = await fetch(url, { ...(init as object), dispatcher: streams });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && response.body !== null) {
      const value = response.body.pipeThrough(eventLimit(maxMessageBytes) as never);
      // What else the response knows, such as where it came from, matters too.
      Object.defineProperty(response, "body", { value });
    }
    return response;
  };
  return {
    fetch: send as unknown as FetchLike,
    close: async () => {
      await Promise.allSettled([calls.destroy(), streams.destroy()]);
    },
  };
}

/**
 * Sockets that never keep the process from exiting. While a call is under way its own timer does; an event stream that
 * merely stands open must not.
 */
function unheldConnector(): Connector {
  const connect = buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS });
  return (options, callback) =>
    connect(options, (...[error, socket]) =>
      error ? callback(error, null) : callback(null, neverHold(socket!)),
    );
}

function neverHold<T extends Socket>(socket: T): T {
  socket.unref();
  // The agent takes hold of a socket again with each request.
  socket.ref = () => socket;
  return socket;
}
