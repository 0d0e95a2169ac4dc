import { type ActiveSpan, traced } from "@mci-ts/primitives/tracing";
import type { LoginWay } from "../login/login-options.ts";
import { DEFAULT_MCP_TIMEOUT_MS } from "../schema/defaults.ts";
import type {
  CallOptions,
  Connection,
  LogLevel,
  McpMethod,
  RequestOptions,
  ServerChange,
  ServerSkills,
} from "./connection.ts";
import { McpError, toToolError } from "./errors.ts";
import { MaskedInput } from "./masked-input.ts";
import type { McpPoolOptions, PoolCallOptions } from "./pool-options.ts";
import type { McpListed, McpListKind, McpResult, McpTool } from "./protocol.ts";
import type { ServerPlan } from "./server-plan.ts";
import { CONNECT_TIMEOUT_MS, Servers } from "./servers.ts";
import { type McpServerState, SessionPool } from "./session-pool.ts";
import { type ServerTask, taskOf } from "./tasks/created-task.ts";

/** What another session, or a login, may cure. */
const REOPENED: ReadonlySet<McpError["kind"]> = new Set(["not_sent", "connection_lost", "login_required"]);

/** The MCP servers of one client: what can be asked of each. Failures are `ToolError`s. */
export class McpPool {
  readonly #servers: Servers;
  readonly #options: McpPoolOptions;
  readonly #sessions: SessionPool;
  readonly #masked = new MaskedInput((server, value) => this.#servers.mask(server, value));

  constructor(servers: ReadonlyMap<string, ServerPlan>, options: McpPoolOptions) {
    this.#options = options;
    this.#servers = new Servers(servers, options);
    this.#sessions = new SessionPool(this.#servers, options);
  }

  /** What servers are told that the program can do, sorted. */
  get capabilities(): readonly string[] {
    const input = this.#sessions.asksForInput ? ["elicitation"] : [];
    return [...input, ...Object.keys(this.#options.extensions ?? {})].sort();
  }

  has(name: string): boolean {
    return this.#servers.has(name);
  }

  /** The env values in a server's settings. Nothing may be reported about the server before these are masked. */
  secrets(name: string): readonly unknown[] {
    return this.#servers.secrets(name);
  }

  /** Names of the servers that can ask for a login. */
  loginNames(): string[] {
    return this.#servers.loginNames();
  }

  /** A person logs in to the server, whether it has asked for that or not. */
  async login(name: string, way: LoginWay): Promise<void> {
    await this.#servers.login(name, {}, way).catch((error) => Promise.reject(toToolError(error)));
    this.#sessions.drop(name);
  }

  /** Every server as it is now. */
  states(): readonly McpServerState[] {
    return this.#sessions.states();
  }

  /** Ends the server's session, once its calls have ended, and opens another. */
  async restart(name: string, signal?: AbortSignal): Promise<void> {
    this.#sessions.drop(name);
    await this.#sessions.open(name, signal);
  }

  listTools(name: string, signal?: AbortSignal): Promise<readonly McpTool[]> {
    return this.#traced(name, "tools/list", undefined, {}, () =>
      this.#sessions.use(name, signal, (connection) =>
        connection.listTools({ timeoutMs: this.#listTimeoutMs, signal }),
      ),
    );
  }

  list<Kind extends McpListKind>(
    name: string,
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<readonly McpListed[Kind][] | undefined> {
    return this.#sessions.use(name, signal, (connection) =>
      connection.list(kind, { timeoutMs: this.#listTimeoutMs, signal }),
    );
  }

  /** What the server says to the model; empty if nothing. */
  instructions(name: string, signal?: AbortSignal): Promise<string> {
    return this.#sessions.use(name, signal, async (connection) => connection.instructions ?? "");
  }

  callTool(
    name: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: PoolCallOptions,
  ): Promise<McpResult> {
    const attributes = { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool };
    return this.#traced(name, "tools/call", tool, attributes, async (span) => {
      const request = { ...this.#withInput(name, options, span), timeoutMs: this.#timeoutOf(name, options) };
      const complete = await this.#sessions.use(
        name,
        options.signal,
        async (connection) => {
          const result = await connection.callTool(tool, args, request);
          // A server may make a task of any call. Its session is in use until the task has ended.
          const task = taskOf(result);
          return task === undefined ? result : this.#driveTask(task, name, tool, connection, request);
        },
        wantsInput(request),
      );
      if (complete.isError === true) span?.fail("tool_error");
      return complete;
    });
  }

  async #driveTask(
    task: ServerTask,
    server: string,
    target: string,
    connection: Connection,
    options: CallOptions,
  ): Promise<McpResult> {
    const { driveTask } = await import("./tasks/drive-task.ts");
    let own: Connection | undefined = connection;
    return driveTask(task, {
      ...options,
      context: { server, target },
      request: async (method, params, request) => {
        const response = await own?.requestTask?.(method, params, request).catch((error) => {
          // Sent again on another session: a request about a task may be repeated, the call may not.
          if (!(error instanceof McpError) || !REOPENED.has(error.kind)) throw toToolError(error);
          own = undefined;
        });
        if (response !== undefined) return response;
        return this.#sessions.use(server, request.signal, (other) =>
          other.requestTask!(method, params, request),
        );
      },
    });
  }

  /** Does something with the skills of a server. Undefined if it has none. */
  useSkills<T>(
    name: string,
    { signal, timeoutMs }: PoolCallOptions,
    work: (skills: ServerSkills, options: RequestOptions) => Promise<T>,
  ): Promise<T | undefined> {
    return this.#sessions.use(name, signal, async (connection) => {
      const skills = await connection.skills?.();
      return skills && work(skills, { signal, timeoutMs: this.#timeoutOf(name, { timeoutMs }) });
    });
  }

  /** Any other request to a server. */
  request(
    name: string,
    method: McpMethod,
    params: Readonly<Record<string, unknown>>,
    options: PoolCallOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const prompt = method === "prompts/get" ? String(params["name"]) : undefined;
    const attributes: Record<string, string> = prompt === undefined ? {} : { "gen_ai.prompt.name": prompt };
    return this.#traced(name, method, prompt, attributes, (span) => {
      const request = this.#withInput(name, options, span);
      return this.#sessions.use(
        name,
        options.signal,
        (connection) =>
          connection.request(method, params, { ...request, timeoutMs: this.#timeoutOf(name, options) }),
        wantsInput(request),
      );
    });
  }

  /** By the conventions for MCP. `target`: what the request is about, of which there are few. */
  #traced<T>(
    server: string,
    method: string,
    target: string | undefined,
    attributes: Readonly<Record<string, string>>,
    work: (span: ActiveSpan | undefined) => Promise<T>,
  ): Promise<T> {
    return traced(
      () => ({
        name: target === undefined ? method : `${method} ${target}`,
        kind: "client",
        attributes: {
          "mcp.method.name": method,
          "mci.mcp.server": server,
          ...attributes,
          ...this.#servers.peer(server),
        },
      }),
      (span) =>
        work(span).catch((error) => {
          throw this.#masked.pause(server, error);
        }),
    );
  }

  /** Tells of changes of every server, of those that have a session. */
  watch(onChange: (server: string, change: ServerChange) => void): void {
    this.#sessions.watch(onChange);
  }

  /** Asks a server to tell of changes of these resources; opens a session if there is none. */
  watchResources(name: string, uris: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#sessions.watchResources(name, uris, signal);
  }

  /** Asks a server, in each of its sessions, for log messages from this level on. */
  setLogLevel(name: string, level: LogLevel, signal?: AbortSignal): Promise<void> {
    return this.#sessions.setLogLevel(name, level, signal);
  }

  /** One request to a server, for nothing but the time it takes. */
  ping(name: string, signal?: AbortSignal): Promise<number> {
    return this.#sessions.use(name, signal, async (connection) => {
      const began = performance.now();
      await connection.ping?.({ timeoutMs: this.#listTimeoutMs, signal });
      return performance.now() - began;
    });
  }

  /** Ends every session and waits until no process is left. */
  async close(): Promise<void> {
    await this.#sessions.close();
  }

  get #listTimeoutMs(): number {
    return this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  #timeoutOf(name: string, { timeoutMs }: PoolCallOptions): number {
    return timeoutMs ?? this.#servers.settings(name).timeoutMs ?? DEFAULT_MCP_TIMEOUT_MS;
  }

  /** With the trace context of the span, if there is one, in place of the caller's. */
  #withInput(
    name: string,
    { signal, onProgress, input }: PoolCallOptions,
    span: ActiveSpan | undefined,
  ): Omit<CallOptions, "timeoutMs"> {
    const traced = span === undefined ? input : { ...input, meta: { ...input?.meta, ...span.carrier() } };
    // A call may say that there is no one to ask.
    const onInput = input && "onInput" in input ? input.onInput : this.#options.onInput;
    return {
      signal,
      onProgress: this.#masked.onProgress(name, onProgress),
      input: onInput === undefined ? traced : { ...traced, onInput: this.#masked.onInput(name, onInput) },
    };
  }
}

function wantsInput({ input }: Pick<CallOptions, "input">): boolean {
  return input?.onInput !== undefined;
}
