import {
  Client,
  type ClientOptions,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  type Transport,
} from "@modelcontextprotocol/client";
import type {
  CallOptions,
  Connection,
  ConnectOptions,
  McpResult,
  McpTool,
  RequestOptions,
} from "./connection.ts";
import { MAX_DELAY, orAborted, withDeadline } from "./deadline.ts";
import { McpError } from "./errors.ts";
import { type HttpAgent, openHttpAgent } from "./http-agent.ts";
import { HttpTransport } from "./http-transport.ts";
import { connectFailure, requestFailure } from "./sdk-failure.ts";
import type { HttpConfig, ServerConfig, StdioConfig } from "./server-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

/*
 * The only way from a configuration to a live session, and the only file whose import loads the MCP SDK: everybody else
 * imports it dynamically.
 */

/** Milliseconds that a server which does not know the newer protocol may keep silent about it. */
const PROBE_PATIENCE = 5000;
/** Pages of tools/list; a server that never comes to an end is stopped here. */
const MAX_PAGES = 1000;
/** Milliseconds a server has to take note that its session ends. */
const GOODBYE = 1000;

/** When it throws, nothing is left running: a half-open session is taken down before. */
export function connect(config: ServerConfig, options: ConnectOptions): Promise<Connection> {
  const late = `no answer to the handshake within ${options.timeoutMs} ms`;
  return withDeadline(options.timeoutMs, options.signal, late, async (signal) => {
    const connection =
      config.type === "stdio"
        ? await connectStdio(config, options, signal)
        : await connectHttp(config, options, signal);
    if (signal.aborted) await connection.close();
    signal.throwIfAborted();
    return connection;
  });
}

async function connectStdio(
  config: StdioConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  // Some older servers end when they are asked for the newer protocol. They get a second life, and are not asked again.
  for (const mode of ["auto", "legacy"] as const) {
    const transport = new StdioTransport(config, options.maxMessageBytes);
    const stop = () => transport.close({ patient: false });
    try {
      const client = await handshake(transport, mode, options, signal, stop);
      return new SdkConnection(client, { ending: () => transport.ending, close: () => transport.close() });
    } catch (error) {
      const endedByProbe = mode === "auto" && transport.ending !== undefined && isNegotiationFailure(error);
      if (!endedByProbe || signal.aborted) throw connectFailure(error, transport.ending);
    }
  }
  throw new McpError("unavailable", "the server could not be started");
}

async function connectHttp(
  config: HttpConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const url = address(config.url);
  const agent = openHttpAgent(options.maxMessageBytes);
  try {
    if (config.type === "sse") return await connectSse(url, config, agent, options, signal);
    try {
      return await connectStreamable(url, config, agent, options, signal);
    } catch (error) {
      if (!isOlderServer(error) || signal.aborted) throw error;
      // The answer of the proper transport is the one worth reporting if the older one fails too.
      return await connectSse(url, config, agent, options, signal).catch(() => Promise.reject(error));
    }
  } catch (error) {
    await agent.close();
    throw connectFailure(error, undefined);
  }
}

async function connectStreamable(
  url: URL,
  config: HttpConfig,
  agent: HttpAgent,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = new HttpTransport(url, config.headers ?? {}, agent.fetch);
  const client = await handshake(transport, "auto", options, signal, () => transport.close());
  const close = async () => {
    // A server may not care about the end of a session, or be gone: that is fine.
    await withDeadline(GOODBYE, undefined, "", (signal) =>
      orAborted(transport.terminateSession(), signal),
    ).catch(() => {});
    await client.close();
    await agent.close();
  };
  return new SdkConnection(client, { hasSessionId: () => transport.sessionId !== undefined, close });
}

async function connectSse(
  url: URL,
  config: HttpConfig,
  agent: HttpAgent,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const transport = new SSEClientTransport(url, {
    requestInit: { headers: { ...config.headers } },
    fetch: agent.fetch,
  });
  const client = await handshake(transport, "legacy", options, signal, () => transport.close());
  // The stream would come back by itself, but as a new session that nobody has greeted.
  client.onerror = (error) => {
    if (error instanceof SseError) void client.close();
  };
  const close = async () => {
    await client.close();
    await agent.close();
  };
  return new SdkConnection(client, { close });
}

async function handshake(
  transport: Transport,
  mode: "auto" | "legacy",
  { timeoutMs }: ConnectOptions,
  signal: AbortSignal,
  stop: () => Promise<void>,
): Promise<Client> {
  const client = new Client({ name: "mci-ts", version: "0.1.0" }, clientOptions(mode, timeoutMs));
  try {
    // A transport that is taken down while it connects may leave the SDK waiting for ever.
    await orAborted(client.connect(transport, { timeout: Math.min(timeoutMs, MAX_DELAY) }), signal);
    return client;
  } catch (error) {
    await stop();
    throw error;
  }
}

function clientOptions(mode: "auto" | "legacy", timeoutMs: number): ClientOptions {
  return {
    versionNegotiation: { mode, probe: { timeoutMs: Math.min(PROBE_PATIENCE, timeoutMs / 2) } },
    listMaxPages: MAX_PAGES,
    // A result that does not fit the server's own outputSchema is still the result.
    jsonSchemaValidator: {
      getValidator: () => (value) => ({ valid: true, data: value as never, errorMessage: undefined }),
    },
  };
}

function address(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed !== null && /^https?:$/.test(parsed.protocol)) return parsed;
  throw new McpError("unavailable", `the url must start with http:// or https://, got '${url}'`);
}

const isNegotiationFailure = (error: unknown) =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;

/** The protocol's own rule for telling servers that only know the older transport. */
const isOlderServer = (error: unknown) =>
  error instanceof SdkHttpError && [400, 404, 405].includes(error.status);

interface Line {
  readonly ending?: () => string | undefined;
  readonly hasSessionId?: () => boolean;
  readonly close: () => Promise<void>;
}

class SdkConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #line: Line;
  #closing?: Promise<void>;

  constructor(client: Client, line: Line) {
    this.#client = client;
    this.#line = line;
    this.closed = new Promise((resolve) => {
      client.onclose = resolve;
    });
  }

  async listTools(options: RequestOptions): Promise<readonly McpTool[]> {
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const late = `no complete list of tools within ${options.timeoutMs} ms`;
    return withDeadline(options.timeoutMs, options.signal, late, async (signal) => {
      try {
        const request = {
          signal,
          timeout: Math.min(options.timeoutMs, MAX_DELAY),
          cacheMode: "bypass",
        } as const;
        return (await this.#client.listTools(undefined, request)).tools;
      } catch (error) {
        throw this.#failure(error, { ...options, signal });
      }
    });
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<McpResult> {
    const { signal, onProgress } = options;
    const timeout = Math.min(options.timeoutMs, MAX_DELAY);
    if (this.#client.transport === undefined)
      throw new McpError("unsent", this.#line.ending?.() ?? "the session is over");
    try {
      return await this.#client.callTool(
        { name, arguments: args },
        { signal, timeout, onprogress: onProgress },
      );
    } catch (error) {
      throw this.#failure(error, options);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#line.close();
    return this.#closing;
  }

  #failure(error: unknown, { signal, timeoutMs }: RequestOptions): McpError {
    return requestFailure(error, {
      ending: this.#line.ending?.(),
      hasSessionId: this.#line.hasSessionId?.() ?? false,
      timeoutMs,
      isAborted: signal?.aborted ?? false,
    });
  }
}
