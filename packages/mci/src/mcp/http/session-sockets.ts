import type { Socket } from "node:net";
import type { FetchLike } from "@modelcontextprotocol/client";
import type { Dispatcher, Pool } from "undici";
import type { ProxyRules } from "../../proxy/settings.ts";
import { Agent, buildConnector, type Connector, loadFetch } from "../../undici.ts";
import { byteLimit, eventLimit } from "./stream-limits.ts";

/** Ends connection attempts whose requests were cancelled. */
const CONNECT_TIMEOUT_MS = 60_000;

/** The sockets of one session: fetch through them, and let go of all of them at once. */
export interface SessionSockets {
  readonly fetch: FetchLike;
  close(): Promise<void>;
}

export async function openSessionSockets(
  maxMessageBytes: number,
  proxy?: ProxyRules,
): Promise<SessionSockets> {
  const fetch = await loadFetch();
  // The caller sets deadlines: a tool may take longer than any default.
  const settings = { allowH2: false, headersTimeout: 0, bodyTimeout: 0 };
  const calls = await openConnections({ ...settings, maxResponseSize: maxMessageBytes }, proxy);
  // An event stream has no size limit, but each event has.
  const streams = await openConnections(settings, proxy);
  const send = async (url: string | URL, init?: RequestInit) => {
    const isCall = init?.method === "POST";
    const { dispatcher } = isCall ? calls : streams;
    const response = await fetch(url, { ...(init as object), dispatcher });
    return limited(response as unknown as Response, isCall, maxMessageBytes);
  };
  return {
    fetch: send,
    close: async () => {
      await Promise.allSettled([calls.close(), streams.close()]);
    },
  };
}

interface Connections {
  readonly dispatcher: Dispatcher;
  close(): Promise<unknown>;
}

async function openConnections(pool: Pool.Options, proxy: ProxyRules | undefined): Promise<Connections> {
  const connect = unrefSockets(buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MS }));
  const direct = new Agent({ ...pool, connect });
  if (proxy === undefined) return { dispatcher: direct, close: () => direct.destroy() };
  const { ProxyAgents } = await import("../../proxy/proxy-agent.ts");
  const options = { pool, timeoutMs: CONNECT_TIMEOUT_MS, wrapConnector: unrefSockets };
  const proxies = await ProxyAgents.open(proxy, options);
  return {
    dispatcher: proxies.routing(direct),
    close: () => Promise.allSettled([direct.destroy(), proxies.close()]),
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
function unrefSockets(connect: Connector): Connector {
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
