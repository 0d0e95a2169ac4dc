import { MCIClientError } from "../errors.ts";
import type { CallOptions, Connection, McpResult } from "./connection.ts";
import { McpError } from "./errors.ts";
import type { ServerConfig } from "./server-config.ts";

export interface LiteMcpClientConfig {
  /** A program that speaks MCP over its pipes, or an address. */
  readonly server: ServerConfig;
  /** Milliseconds for connecting, and for each request. Default 60,000. */
  readonly requestTimeout?: number;
}

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
  readonly #config: LiteMcpClientConfig;
  #connection?: Connection;
  #isClosed = false;

  static async connect(config: LiteMcpClientConfig): Promise<LiteMcpClient> {
    const client = new LiteMcpClient(config);
    await client.connect();
    return client;
  }

  /** Does not connect yet. */
  constructor(config: LiteMcpClientConfig) {
    checkConfig(config);
    this.#config = config;
  }

  /** Starts or reaches the server. Throws `MCIClientError`; nothing is left running then. */
  async connect(): Promise<void> {
    if (this.#connection !== undefined || this.#isClosed) {
      throw new MCIClientError(
        "mcp_session",
        "A LiteMcpClient connects once. Make a new one to connect again.",
      );
    }
    const { connect } = await import("./connect.ts");
    const options = { timeoutMs: this.#timeoutMs, maxMessageBytes: MAX_MESSAGE_BYTES };
    this.#connection = await connect(this.#config.server, options).catch((error) => {
      throw failed("Failed to connect to the MCP server", error);
    });
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
    const request = this.#session().callTool(name, args, { timeoutMs: this.#timeoutMs, signal, onProgress });
    return request.catch((error) => {
      throw failed(`Failed to execute MCP tool '${name}'`, error);
    });
  }

  /** Ends the session, and the server if it was started here. May be called twice. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#connection?.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  get #timeoutMs(): number {
    return this.#config.requestTimeout ?? REQUEST_TIMEOUT_MS;
  }

  #session(): Connection {
    if (this.#connection !== undefined && !this.#isClosed) return this.#connection;
    throw new MCIClientError(
      "mcp_session",
      this.#isClosed
        ? "The session was closed. Make a new LiteMcpClient to connect again."
        : "Session not initialized. Call connect() first, or make the client with LiteMcpClient.connect().",
    );
  }
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

function failed(what: string, error: unknown): unknown {
  if (!(error instanceof McpError)) return error;
  return new MCIClientError("mcp_server_failed", `${what}: ${error.message}`, { cause: error });
}
