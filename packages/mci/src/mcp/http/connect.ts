import { SdkHttpError, SSEClientTransport, SseError } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS, raceAbort } from "../../abort.ts";
import type { Connection, ConnectOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { HttpConfig } from "../server-config.ts";
import { SdkConnection } from "../session/connection.ts";
import { toConnectError } from "../session/errors.ts";
import { handshake } from "../session/handshake.ts";
import { withTimeout } from "../timeout.ts";
import { type HttpAgent, openHttpAgent } from "./agent.ts";
import { HttpTransport } from "./transport.ts";

/** Over HTTP only the deadline of the whole handshake counts. */
const probeTimeoutMs = MAX_TIMER_MS;
/** Milliseconds a server has to end its session. */
const TERMINATE_TIMEOUT_MS = 1000;

/** Reaches a server at its address: over Streamable HTTP, or the older transport where it knows only that. */
export async function connectHttp(
  config: HttpConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const url = parseUrl(config.url);
  const agent = await openHttpAgent(options.maxMessageBytes, options.proxy);
  try {
    if (config.type === "sse") return await connectSse(url, config, agent, { ...options, signal });
    try {
      return await connectStreamable(url, config, agent, { ...options, signal });
    } catch (error) {
      if (!isLegacyServer(error) || signal.aborted) throw error;
      // If the older transport fails too, the error of the newer one is reported.
      return await connectSse(url, config, agent, { ...options, signal }).catch(() => Promise.reject(error));
    }
  } catch (error) {
    await agent.close();
    throw toConnectError(error, { mask: options.mask });
  }
}

type HttpOptions = Pick<ConnectOptions, "mask"> & { readonly signal: AbortSignal };

async function connectStreamable(
  url: URL,
  { headers = {} }: HttpConfig,
  agent: HttpAgent,
  { signal, mask }: HttpOptions,
): Promise<Connection> {
  const transport = new HttpTransport(url, headers, agent.fetch);
  const stop = () => transport.close();
  const session = await handshake(transport, { mode: "auto", probeTimeoutMs, signal, stop });
  const close = async () => {
    const terminate = (late: AbortSignal) => raceAbort(transport.terminateSession(), late);
    // A server may not support ending a session, or be gone: both are fine.
    await withTimeout(TERMINATE_TIMEOUT_MS, undefined, "", terminate).catch(() => {});
    await session.client.close();
    await agent.close();
  };
  return new SdkConnection(session, {
    hasHeaders: true,
    hasSessionId: () => transport.sessionId !== undefined,
    mask,
    close,
  });
}

async function connectSse(
  url: URL,
  { headers = {} }: HttpConfig,
  agent: HttpAgent,
  { signal, mask }: HttpOptions,
): Promise<Connection> {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: agent.fetch,
  });
  const stop = () => transport.close();
  const session = await handshake(transport, { mode: "legacy", probeTimeoutMs, signal, stop });
  // The stream would reconnect by itself, but as a new session without a handshake.
  session.client.onerror = (error) => {
    if (error instanceof SseError) void session.client.close();
  };
  const close = async () => {
    await session.client.close();
    await agent.close();
  };
  return new SdkConnection(session, { close, mask });
}

function parseUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new McpError("unavailable", `the url must start with http:// or https://, got '${url}'`);
}

/** The protocol's own rule for telling servers that only know the older transport. */
const isLegacyServer = (error: unknown) =>
  error instanceof SdkHttpError && [400, 404, 405].includes(error.status);
