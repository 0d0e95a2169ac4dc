import { MCIClientError } from "../errors.ts";
import type { Loaded } from "../load/loaded.ts";
import { maskedError } from "../masked-error.ts";
import type { LogLevel } from "../mcp/connection.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { McpServerState } from "../mcp/session-pool.ts";
import { ContentClient } from "./content-client.ts";
import type { LazyContent } from "./lazy-content.ts";
import { serverSecrets } from "./server-secrets.ts";

export interface ServerOptions {
  /** Cancels the request. */
  readonly signal?: AbortSignal;
}

/** The part of a client that is about its MCP servers themselves. */
export abstract class ServerClient extends ContentClient {
  readonly #current: () => Loaded;
  readonly #checkUsable: () => void;

  constructor(content: LazyContent, checkUsable: () => void, current: () => Loaded) {
    super(content, checkUsable);
    this.#checkUsable = checkUsable;
    this.#current = current;
  }

  /** The MCP servers of the file as they are now: whether there is a session, what they say of themselves and printed last. */
  mcpServers(): readonly McpServerState[] {
    return this.#current().mcp?.states() ?? [];
  }

  /** Ends the session of an MCP server, once its calls have ended, and opens another. Throws `MCIClientError`. */
  async restartMcpServer(name: string, { signal }: ServerOptions = {}): Promise<void> {
    await this.#server(name)
      .restart(name, signal)
      .catch((error: Error) => {
        const { message, cause } = this.#masked(name, error);
        throw new MCIClientError("mcp_restart_failed", message, { cause });
      });
  }

  /** Asks an MCP server for its tools, prompts and resources again. Throws `MCIClientError` only if there is no such server. */
  async refreshMcpServer(name: string): Promise<void> {
    this.#server(name);
    await (await this.listChanges()).refresh(name);
  }

  /** One request that does nothing but come back; the milliseconds it took. Throws `MCIClientError`. */
  async pingMcpServer(name: string, { signal }: ServerOptions = {}): Promise<number> {
    return this.#server(name)
      .ping(name, signal)
      .catch((error) => this.#failed(name, error));
  }

  /** Asks an MCP server for log messages from this level on; `onMcpMessage` gets them. Throws `MCIClientError`. */
  async setMcpLogLevel(name: string, level: LogLevel, { signal }: ServerOptions = {}): Promise<void> {
    await this.#server(name)
      .setLogLevel(name, level, signal)
      .catch((error) => this.#failed(name, error));
  }

  /**
   * Asks an MCP server to tell of changes of these resources, beside those of `watchResources`; `onChange` gets them. Returns what ends
   * it. Throws `MCIClientError`.
   */
  async watchMcpResources(name: string, uris: readonly string[]): Promise<() => Promise<void>> {
    this.#server(name);
    const changes = await this.listChanges();
    return changes.watchServer(name, uris).catch((error) => this.#failed(name, error));
  }

  /** The same value without the values of env that the server was sent, which it may repeat anywhere. */
  maskMcpSecrets<T>(name: string, value: T): T {
    this.#server(name);
    return serverSecrets(this.#current(), name).mask(value);
  }

  #server(name: string): McpPool {
    this.#checkUsable();
    const { mcp } = this.#current();
    if (!mcp?.has(name))
      throw new MCIClientError("invalid_argument", `The file has no MCP server '${name}'.`);
    return mcp;
  }

  #failed(name: string, error: Error): never {
    const { message, cause } = this.#masked(name, error);
    throw new MCIClientError("request_failed", `MCP server '${name}': ${message}`, { cause });
  }

  #masked(name: string, error: Error): { readonly message: string; readonly cause: Error } {
    const cause = maskedError(error, serverSecrets(this.#current(), name));
    return { message: cause.message, cause };
  }
}
