import { SdkHttpError, SSEClientTransport, SseError } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS, raceAbort } from "../../abort.ts";
import type { Connection, ConnectOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import { withProofs } from "../login/dpop.ts";
import { openLoginTarget } from "../login/open-login-target.ts";
import { tokenSource } from "../login/token-source.ts";
import type { HttpConfig } from "../server-config.ts";
import { handshake } from "../session/handshake.ts";
import { toConnectError } from "../session/request-errors.ts";
import { SdkConnection } from "../session/sdk-connection.ts";
import { withTimeout } from "../timeout.ts";
import { openSessionSockets, type SessionSockets } from "./session-sockets.ts";
import { type HttpLogin, HttpTransport } from "./transport.ts";

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
  const agent = await openSessionSockets(options.maxMessageBytes, options.proxy);
  const { login, close } = await openLogin(url, config, options);
  const session: HttpOptions = {
    mask: options.mask,
    onMessage: options.onMessage,
    session: options.session,
    signal,
    login,
  };
  const sockets = {
    fetch: withProofs(agent.fetch, login?.tokens),
    close: async () => {
      await Promise.all([agent.close(), close()]);
    },
  };
  try {
    if (config.type === "sse") return await connectSse(url, config, sockets, session);
    try {
      return await connectStreamable(url, config, sockets, session);
    } catch (error) {
      if (!isLegacyServer(error) || signal.aborted) throw error;
      // If the older transport fails too, the error of the newer one is reported.
      return await connectSse(url, config, sockets, session).catch(() => Promise.reject(error));
    }
  } catch (error) {
    await sockets.close();
    throw toConnectError(error, { mask: options.mask });
  }
}

type HttpOptions = Pick<ConnectOptions, "mask" | "onMessage" | "session"> & {
  readonly signal: AbortSignal;
  readonly login: HttpLogin | undefined;
};

/** Credentials in the headers of the file are the login. */
async function openLogin(
  url: URL,
  { headers = {}, auth }: HttpConfig,
  { login, proxy }: ConnectOptions,
): Promise<{ login: HttpLogin | undefined; close: () => Promise<void> }> {
  const hasCredentials = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (login === undefined || (hasCredentials && auth === undefined))
    return { login: undefined, close: async () => {} };
  const { target, close } = await openLoginTarget(url, auth, login, proxy);
  return { login: { name: login.name, options: login.options, tokens: tokenSource(target) }, close };
}

async function connectStreamable(
  url: URL,
  { headers = {} }: HttpConfig,
  agent: SessionSockets,
  { signal, mask, login, onMessage, session: about }: HttpOptions,
): Promise<Connection> {
  const transport = new HttpTransport(url, headers, agent.fetch, login);
  const stop = () => transport.close();
  const session = await handshake(transport, {
    mode: "auto",
    probeTimeoutMs,
    signal,
    stop,
    onMessage,
    session: about,
  });
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
  agent: SessionSockets,
  { signal, mask, login, onMessage, session: about }: HttpOptions,
): Promise<Connection> {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers: { ...headers } },
    fetch: agent.fetch,
    ...(login && { authProvider: login.tokens }),
  });
  const stop = () => transport.close();
  const session = await handshake(transport, {
    mode: "legacy",
    probeTimeoutMs,
    signal,
    stop,
    onMessage,
    session: about,
  });
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
