import { type Client, specTypeSchemas } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../abort.ts";
import type { CallOptions, Connection, RequestOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { McpResult, McpTool } from "../protocol.ts";
import { withTimeout } from "../timeout.ts";
import type { Audiences } from "./audiences.ts";
import { timeoutMessage, toRequestError } from "./errors.ts";
import { MAX_PAGES, type Session } from "./handshake.ts";
import { isInputRequired, repeatUntilComplete, type Send } from "./input-required.ts";
import type { ProgressListeners } from "./progress.ts";
import { undeclaredTools } from "./undeclared-tools.ts";

/** What differs between the transports. */
export interface TransportHooks {
  /** How the server's process ended, if there is one and it did. */
  readonly ending?: () => string | undefined;
  /** The end of what that process printed to stderr. */
  readonly stderr?: () => string;
  /** Requests have headers, in which a server may want some of a call's arguments. */
  readonly hasHeaders?: boolean;
  /** The server gave this session an id, which it may forget. */
  readonly hasSessionId?: () => boolean;
  /** Takes secrets out of a text before it is cut. */
  readonly mask?: (text: string) => string;
  readonly close: () => Promise<void>;
}

/** A session after its handshake, on the SDK's client. */
export class SdkConnection implements Connection {
  readonly closed: Promise<void>;
  readonly #client: Client;
  readonly #progress: ProgressListeners;
  readonly #audiences: Audiences;
  readonly #hooks: TransportHooks;
  #closing?: Promise<void>;

  constructor({ client, progress, audiences }: Session, hooks: TransportHooks) {
    this.#client = client;
    this.#progress = progress;
    this.#audiences = audiences;
    this.#hooks = hooks;
    this.closed = new Promise((resolve) => {
      client.onclose = resolve;
    });
  }

  get stderr(): string | undefined {
    return this.#hooks.stderr?.();
  }

  async listTools(options: RequestOptions): Promise<readonly McpTool[]> {
    this.#checkOpen();
    const timeoutText = `no complete list of tools within ${options.timeoutMs} ms`;
    return withTimeout(options.timeoutMs, options.signal, timeoutText, async (signal) => {
      try {
        // Fetched each time; from its cache the SDK knows which arguments a server wants in the headers of a call.
        const request = { signal, timeout: MAX_TIMER_MS, cacheMode: "refresh" } as const;
        const tools = this.#client.getServerCapabilities()?.tools
          ? (await this.#client.listTools(undefined, request)).tools
          : await undeclaredTools(this.#client, request, MAX_PAGES);
        return this.#audiences.addTo(tools);
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
    const startedAt = performance.now();
    const { signal, onProgress, timeoutMs } = options;
    const progressToken = onProgress && this.#progress.add(onProgress);
    const params = { name, arguments: args, ...(progressToken && { _meta: { progressToken } }) };
    let wasSent = false;
    try {
      const response = await this.#call(params, options);
      if (!isInputRequired(response)) return response;
      wasSent = true;
      const rest = { signal, timeoutMs: timeoutMs - (performance.now() - startedAt) };
      return await repeatUntilComplete(response, params, this.#call, rest, timeoutMessage(timeoutMs));
    } catch (error) {
      throw notSerializable(args) ?? this.#failure(error, options, wasSent);
    } finally {
      if (progressToken) this.#progress.remove(progressToken);
    }
  }

  readonly #call: Send = ({ ...params }, { signal, timeoutMs }) => {
    const allowInputRequired = true;
    if (this.#hooks.hasHeaders) {
      // It may list the tools and call again, if the server misses something in the headers: all in the same time.
      return withTimeout(timeoutMs, signal, timeoutMessage(timeoutMs), (signal) =>
        this.#client.callTool(params, { signal, timeout: MAX_TIMER_MS, allowInputRequired }),
      );
    }
    // Skips the SDK's checks of headers and output schemas, which take longer than all of our own work.
    const request = { signal, timeout: Math.min(timeoutMs, MAX_TIMER_MS), allowInputRequired };
    return this.#client.request({ method: "tools/call", params }, specTypeSchemas.CallToolResult, request);
  };

  close(): Promise<void> {
    this.#closing ??= this.#hooks.close();
    return this.#closing;
  }

  #checkOpen(): void {
    if (this.#client.transport !== undefined) return;
    const ending = this.#hooks.ending?.();
    throw new McpError("not_sent", ending === undefined ? "the session is over" : `the server ${ending}`);
  }

  #failure(error: unknown, { signal, timeoutMs }: RequestOptions, wasSent = false): McpError {
    return toRequestError(error, {
      wasSent,
      ending: this.#hooks.ending?.(),
      hasSessionId: this.#hooks.hasSessionId?.() ?? false,
      mask: this.#hooks.mask,
      timeoutMs,
      isAborted: signal?.aborted ?? false,
    });
  }
}

/** Arguments that cannot be serialized were never sent, whatever the transport reports. Checked only when a call has failed. */
function notSerializable(args: Readonly<Record<string, unknown>>): McpError | undefined {
  try {
    JSON.stringify(args);
    return undefined;
  } catch (cause) {
    const reason = (cause as Error).message;
    return new McpError("refused", `the arguments cannot be written as JSON: ${reason}`, { cause });
  }
}
