import { type Client, specTypeSchemas } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../abort.ts";
import { InputPause } from "../../input-pause.ts";
import type {
  CallOptions,
  Connection,
  LogLevel,
  McpMethod,
  RequestOptions,
  ServerChange,
  ServerIdentity,
  ServerSkills,
} from "../connection.ts";
import { McpError } from "../errors.ts";
import type { InputOptions } from "../input.ts";
import type { McpListed, McpListKind, McpResult, McpTool } from "../protocol.ts";
import { ANY_RESULT } from "../revision/any-result.ts";
import type { Revision, RevisionCalls } from "../revision/revision.ts";
import { revisionOf } from "../revision/revisions.ts";
import { withTimeout } from "../timeout.ts";
import { capabilitiesOf, MAX_PAGES, type Session } from "./handshake.ts";
import { identityOf } from "./identity.ts";
import { type Response, type RoundParams, type Send, sendUntilComplete } from "./input-rounds.ts";
import { timeoutMessage, toRequestError } from "./request-errors.ts";
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

const SKILLS = "io.modelcontextprotocol/skills";

const RESULTS = {
  "tools/call": specTypeSchemas.CallToolResult,
  "resources/read": specTypeSchemas.ReadResourceResult,
  "prompts/get": specTypeSchemas.GetPromptResult,
  "completion/complete": specTypeSchemas.CompleteResult,
} as const;

/** A session after its handshake, on the SDK's client. */
export class SdkConnection implements Connection {
  readonly closed: Promise<void>;
  readonly asksForInput: boolean;
  readonly #session: Session;
  readonly #client: Client;
  readonly #hooks: TransportHooks;
  readonly #revision: Revision;
  readonly #calls: RevisionCalls | undefined;
  #logLevel: LogLevel | undefined;
  #closing?: Promise<void>;

  constructor(session: Session, hooks: TransportHooks) {
    this.#session = session;
    this.#client = session.client;
    this.#hooks = hooks;
    this.#revision = revisionOf(session.client);
    this.#calls = this.#revision.openCalls?.(session.client);
    this.asksForInput = session.options.asksForInput;
    this.closed = new Promise((resolve) => {
      session.client.onclose = resolve;
    });
  }

  get stderr(): string | undefined {
    return this.#hooks.stderr?.();
  }

  get instructions(): string | undefined {
    return this.#client.getInstructions();
  }

  get identity(): ServerIdentity {
    return identityOf(this.#client);
  }

  async listTools(options: RequestOptions): Promise<readonly McpTool[]> {
    return this.#list("tools", options, async (request) => {
      const tools = this.#client.getServerCapabilities()?.tools
        ? (await this.#client.listTools(undefined, request)).tools
        : await undeclaredTools(this.#client, request, MAX_PAGES);
      return this.#session.audiences.addTo(tools);
    });
  }

  async list<Kind extends McpListKind>(
    kind: Kind,
    options: RequestOptions,
  ): Promise<readonly McpListed[Kind][] | undefined> {
    const lists: {
      [K in Exclude<McpListKind, "skills">]: (request: object) => Promise<readonly McpListed[K][]>;
    } = {
      resources: async (request) => (await this.#client.listResources(undefined, request)).resources,
      resourceTemplates: async (request) =>
        (await this.#client.listResourceTemplates(undefined, request)).resourceTemplates,
      prompts: async (request) => (await this.#client.listPrompts(undefined, request)).prompts,
    };
    if (kind === "skills") return (await this.skills())?.list(options) as never;
    const capability = kind === "prompts" ? "prompts" : "resources";
    if (!this.#client.getServerCapabilities()?.[capability]) return undefined;
    return this.#list(kind, options, lists[kind as Exclude<Kind, "skills">]) as never;
  }

  /** Loaded where a server has any. */
  async skills(): Promise<ServerSkills | undefined> {
    if (this.#client.getServerCapabilities()?.extensions?.[SKILLS] === undefined) return undefined;
    const { openSkills } = await import("./skills.ts");
    return openSkills(this.#client, (options, work) => {
      this.#checkOpen();
      const text = `no skills within ${options.timeoutMs} ms`;
      return withTimeout(options.timeoutMs, options.signal, text, async (signal) => {
        try {
          return await work({ signal, timeout: MAX_TIMER_MS });
        } catch (error) {
          throw this.#failure(error, { ...options, signal });
        }
      });
    });
  }

  async callTool(
    name: string,
    args: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<McpResult> {
    try {
      return (await this.#run("tools/call", name, { name, arguments: args }, options)) as McpResult;
    } catch (error) {
      throw error instanceof InputPause ? error : (notSerializable(args) ?? error);
    }
  }

  async request(
    method: McpMethod,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.#run(method, String(params["uri"] ?? params["name"] ?? method), params, options);
  }

  async requestTask(
    method: "tasks/get" | "tasks/update" | "tasks/cancel",
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    this.#checkOpen();
    const request = { signal: options.signal, timeout: Math.min(options.timeoutMs, MAX_TIMER_MS) };
    const response = this.#client.request({ method, params }, ANY_RESULT, request).catch((error) => {
      throw this.#failure(error, options);
    });
    return response as Promise<Readonly<Record<string, unknown>>>;
  }

  async ping(options: RequestOptions): Promise<void> {
    await this.#ask(options, (request) => this.#revision.ping(this.#client, request));
  }

  async setLogLevel(level: LogLevel, options: RequestOptions): Promise<void> {
    if (!this.#client.getServerCapabilities()?.logging)
      throw new McpError("refused", "the server sends no log messages");
    await this.#ask(options, async (request) => this.#revision.setLogLevel?.(this.#client, level, request));
    this.#logLevel = level;
  }

  watch(onChange: (change: ServerChange) => void): void {
    this.#session.changes.watch(this.#client, onChange);
  }

  async watchResources(uris: readonly string[], options: RequestOptions): Promise<void> {
    this.#checkOpen();
    await this.#session.changes.watchResources(this.#client, uris, options).catch((error) => {
      throw this.#failure(error, options);
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#hooks.close();
    return this.#closing;
  }

  async #ask(
    options: RequestOptions,
    send: (request: { signal?: AbortSignal; timeout: number }) => Promise<unknown>,
  ): Promise<void> {
    this.#checkOpen();
    const { signal, timeoutMs } = options;
    await send({ timeout: Math.min(timeoutMs, MAX_TIMER_MS), ...(signal && { signal }) }).catch((error) => {
      throw this.#failure(error, options);
    });
  }

  async #list<T>(
    kind: string,
    options: RequestOptions,
    fetch: (request: { signal: AbortSignal; timeout: number; cacheMode: "refresh" }) => Promise<readonly T[]>,
  ): Promise<readonly T[]> {
    this.#checkOpen();
    const timeoutText = `no complete list of ${kind} within ${options.timeoutMs} ms`;
    return withTimeout(options.timeoutMs, options.signal, timeoutText, async (signal) => {
      try {
        // Fetched each time; from its cache the SDK knows which arguments a server wants in the headers of a call.
        return await fetch({ signal, timeout: MAX_TIMER_MS, cacheMode: "refresh" });
      } catch (error) {
        throw this.#failure(error, { ...options, signal });
      }
    });
  }

  async #run(
    method: McpMethod | "tools/call",
    target: string,
    params: RoundParams,
    options: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>> {
    this.#checkOpen();
    const { onProgress, timeoutMs, input } = options;
    const { server } = this.#session.options;
    const progressToken = onProgress && this.#session.progress.add(onProgress);
    const timeoutError = () => new McpError("timeout", timeoutMessage(timeoutMs));
    const asking =
      this.asksForInput && this.#revision.asksDuringCalls
        ? this.#session.asking.begin(target, input ?? {}, { timeoutMs, signal: options.signal, timeoutError })
        : undefined;
    const send: Send = (round, request) =>
      this.#send(method, this.#framed(round, input, progressToken), {
        signal: asking?.signal ?? request.signal,
        timeoutMs: asking ? MAX_TIMER_MS : request.timeoutMs,
      });
    let wasSent = false;
    try {
      return await sendUntilComplete(params, send, {
        ...{ timeoutMs, input, timeoutError },
        signal: asking?.signal ?? options.signal,
        context: { server, target },
        onResponse: () => {
          wasSent = true;
        },
      });
    } catch (error) {
      if (error instanceof InputPause) throw error;
      const ended: unknown = asking?.signal.reason;
      throw this.#failure(ended instanceof McpError ? ended : error, options, wasSent);
    } finally {
      asking?.end();
      if (progressToken) this.#session.progress.remove(progressToken);
    }
  }

  #framed(
    round: RoundParams,
    input: InputOptions | undefined,
    progressToken: string | undefined,
  ): RoundParams {
    const { options } = this.#session;
    const capabilities = (asksForInput: boolean) => capabilitiesOf({ ...options, asksForInput });
    const { asksForInput } = this;
    const logLevel = this.#logLevel;
    return this.#revision.frame(round, { input, progressToken, asksForInput, capabilities, logLevel });
  }

  async #send(
    method: McpMethod | "tools/call",
    params: RoundParams,
    options: RequestOptions,
  ): Promise<Response> {
    if (this.#calls === undefined || method !== "tools/call") return this.#sendPlain(method, params, options);
    return (await this.#calls.call(params, options)) ?? this.#sendPlain(method, params, options);
  }

  #sendPlain(
    method: McpMethod | "tools/call",
    params: RoundParams,
    { signal, timeoutMs }: RequestOptions,
  ): Promise<Response> {
    const allowInputRequired = true;
    if (this.#hooks.hasHeaders && method === "tools/call") {
      // It may list the tools and call again, if the server misses something in the headers: all in the same time.
      return withTimeout(timeoutMs, signal, timeoutMessage(timeoutMs), (signal) =>
        this.#client.callTool(params as { name: string }, {
          signal,
          timeout: MAX_TIMER_MS,
          allowInputRequired,
        }),
      );
    }
    // Skips the SDK's checks of headers and output schemas, which take longer than all of our own work.
    const request = { signal, timeout: Math.min(timeoutMs, MAX_TIMER_MS), allowInputRequired };
    return this.#client.request({ method, params }, RESULTS[method], request) as Promise<Response>;
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
