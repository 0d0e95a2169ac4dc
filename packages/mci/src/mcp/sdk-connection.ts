import { type Client, specTypeSchemas } from "@modelcontextprotocol/client";
import type { CallOptions, Connection, McpResult, McpTool, RequestOptions } from "./connection.ts";
import { MAX_DELAY, withDeadline } from "./deadline.ts";
import { McpError } from "./errors.ts";
import type { Session } from "./handshake.ts";
import type { ProgressListeners } from "./progress.ts";
import { requestFailure } from "./sdk-failure.ts";

/** What differs between the ways to reach a server. */
export interface Line {
  /** How the server's process ended, if there is one and it did. */
  readonly ending?: () => string | undefined;
  /** Requests have headers, in which a server may want some of a call's arguments. */
  readonly hasHeaders?: boolean;
  /** The server gave this session an id, which it may forget. */
  readonly hasSessionId?: () => boolean;
  readonly close: () => Promise<void>;
}

/** A session after its handshake, on the SDK's client. */
export class SdkConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #progress: ProgressListeners;
  readonly #line: Line;
  #closing?: Promise<void>;

  constructor({ client, progress }: Session, line: Line) {
    this.#client = client;
    this.#progress = progress;
    this.#line = line;
    this.closed = new Promise((resolve) => {
      client.onclose = resolve;
    });
  }

  async listTools(options: RequestOptions): Promise<readonly McpTool[]> {
    this.#checkOpen();
    if (this.#client.getServerCapabilities()?.tools === undefined) return [];
    const late = `no complete list of tools within ${options.timeoutMs} ms`;
    return withDeadline(options.timeoutMs, options.signal, late, async (signal) => {
      try {
        // Not kept by the SDK: it would check results against the schemas in it.
        const request = { signal, timeout: MAX_DELAY, cacheMode: "bypass" } as const;
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
    this.#checkOpen();
    const { signal, onProgress } = options;
    const timeout = Math.min(options.timeoutMs, MAX_DELAY);
    const progressToken = onProgress && this.#progress.add(onProgress);
    const params = { name, arguments: args, ...(progressToken && { _meta: { progressToken } }) };
    try {
      const request = { signal, timeout };
      if (this.#line.hasHeaders) return await this.#client.callTool(params, request);
      // The same without its care for headers and output schemas, which takes longer than all of our own work.
      const call = { method: "tools/call", params };
      return await this.#client.request(call, specTypeSchemas.CallToolResult, request);
    } catch (error) {
      throw this.#failure(error, options);
    } finally {
      if (progressToken) this.#progress.remove(progressToken);
    }
  }

  close(): Promise<void> {
    this.#closing ??= this.#line.close();
    return this.#closing;
  }

  #checkOpen(): void {
    if (this.#client.transport !== undefined) return;
    const ending = this.#line.ending?.();
    throw new McpError("unsent", ending === undefined ? "the session is over" : `the server ${ending}`);
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
