import { MCIClientError } from "../errors.ts";
import { type ProxySettings, readProxyRules } from "../proxy/settings.ts";
import type { CallOptions, Connection } from "./connection.ts";
import { McpError } from "./errors.ts";
import type { McpResult } from "./protocol.ts";
import type { HttpConfig, ServerConfig, StdioConfig } from "./server-config.ts";

export interface LiteMcpClientConfig {
  /** A program that speaks MCP over its pipes, or an address. */
  readonly server: LiteServerConfig;
  /** Milliseconds for connecting, and for each request. Default 60,000. */
  readonly requestTimeout?: number;
  /** The proxy for a server over HTTP, as in the options of `MCIClient.load`. Default: none. */
  readonly proxy?: string | URL | ProxySettings;
}

/** `type` may be left out: `command` means "stdio", `url` means "http". */
export type LiteServerConfig = ServerConfig | Omit<StdioConfig, "type"> | Omit<HttpConfig, "type">;

export type LiteCallOptions = Pick<CallOptions, "signal" | "onProgress">;

const REQUEST_TIMEOUT_MS = 60_000;
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;

/**
 * Talks to one MCP server directly, without an MCI file:
 *
 *     await using mcp = await LiteMcpClient.connect({ server: { type: "stdio", command: "npx", args: ["-y", "some-server"] } });
 *     await mcp.callTool("echo", { message: "hello" });
 */
export class LiteMcpClient {
  readonly #config: LiteMcpClientConfig & { readonly server: ServerConfig };
  readonly #closing = new AbortController();
  #connecting?: Promise<Connection>;
  #connection?: Connection;

  static async connect(config: LiteMcpClientConfig): Promise<LiteMcpClient> {
    const client = new LiteMcpClient(config);
    await client.connect();
    return client;
  }

  /** Does not connect yet. */
  constructor(config: LiteMcpClientConfig) {
    const typed = withServerType(config);
    checkConfig(typed);
    this.#config = typed;
  }

  /** Starts or reaches the server. Throws `MCIClientError`; nothing is left running then. */
  async connect(): Promise<void> {
    if (this.#connecting !== undefined || this.#isClosed) {
      throw new MCIClientError(
        "mcp_session",
        "A LiteMcpClient connects once. Make a new one to connect again.",
      );
    }
    this.#connecting = this.#open();
    try {
      this.#connection = await this.#connecting;
    } catch (error) {
      this.#connecting = undefined;
      throw this.#isClosed ? closed() : failed("Failed to connect to the MCP server", error);
    }
  }

  /** Names of all tools of the server. */
  async listTools(): Promise<string[]> {
    const request = this.#session().listTools({ timeoutMs: this.#timeoutMs });
    const tools = await request.catch((error) => {
      throw failed("Failed to list the tools of the MCP server", error);
    });
    return tools.map((tool) => tool.name);
  }

  /** The server's result as it came: content, structuredContent, isError. */
  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>> = {},
    { signal, onProgress }: LiteCallOptions = {},
  ): Promise<McpResult> {
    const session = this.#session();
    checkCall(name, args);
    const request = session.callTool(name, args, { timeoutMs: this.#timeoutMs, signal, onProgress });
    return request.catch((error) => {
      throw failed(`Failed to execute MCP tool '${name}'`, error);
    });
  }

  /** Ends the session, and the server if it was started here, also while it is connecting. May be called twice. */
  async close(): Promise<void> {
    this.#closing.abort();
    const connection = await this.#connecting?.catch(() => undefined);
    await connection?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #timeoutMs(): number {
    return this.#config.requestTimeout ?? REQUEST_TIMEOUT_MS;
  }

  get #isClosed(): boolean {
    return this.#closing.signal.aborted;
  }

  async #open(): Promise<Connection> {
    const { connect } = await import("./connect.ts");
    const { signal } = this.#closing;
    const proxy = readProxyRules(this.#config.proxy);
    return connect(this.#config.server, {
      proxy,
      timeoutMs: this.#timeoutMs,
      signal,
      maxMessageBytes: MAX_MESSAGE_BYTES,
    });
  }

  #session(): Connection {
    if (this.#isClosed) throw closed();
    if (this.#connection !== undefined) return this.#connection;
    throw new MCIClientError(
      "mcp_session",
      "Session not initialized. Call connect() first, or make the client with LiteMcpClient.connect().",
    );
  }
}

function closed(): MCIClientError {
  const message = "The session was closed. Make a new LiteMcpClient to connect again.";
  return new MCIClientError("mcp_session", message);
}

/** As in a file, the type is implied: a command is a program, a url an address. */
function withServerType(
  config: LiteMcpClientConfig,
): LiteMcpClientConfig & { readonly server: ServerConfig } {
  const server = config?.server as { type?: unknown; command?: unknown; url?: unknown } | undefined;
  if (server?.type !== undefined || (server?.command === undefined) === (server?.url === undefined))
    return config as LiteMcpClientConfig & { readonly server: ServerConfig };
  const type = server?.command === undefined ? "http" : "stdio";
  return { ...config, server: { ...server, type } as ServerConfig };
}

function checkConfig(config: LiteMcpClientConfig): void {
  const server = config?.server as unknown as Record<string, unknown> | undefined;
  const target = { stdio: "command", http: "url", sse: "url" }[String(server?.["type"])];
  if (target === undefined) {
    throw new MCIClientError("invalid_argument", 'server.type must be "stdio", "http" or "sse".');
  }
  if (typeof server?.[target] !== "string" || server[target] === "") {
    throw new MCIClientError("invalid_argument", `server.${target} must be a non-empty string.`);
  }
  const timeout: unknown = config.requestTimeout;
  if (timeout !== undefined && !(typeof timeout === "number" && timeout > 0)) {
    throw new MCIClientError("invalid_argument", "requestTimeout must be a number of milliseconds above 0.");
  }
}

function checkCall(name: unknown, args: unknown): void {
  if (typeof name !== "string" || name === "")
    throw new MCIClientError("invalid_argument", "The name of a tool must be a non-empty string.");
  if (typeof args !== "object" || args === null || Array.isArray(args))
    throw new MCIClientError("invalid_argument", `The arguments of tool '${name}' must be an object.`);
}

function failed(what: string, error: unknown): unknown {
  if (!(error instanceof McpError)) return error;
  return new MCIClientError("mcp_server_failed", `${what}: ${error.message}`, { cause: error });
}
