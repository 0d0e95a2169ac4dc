import { MAX_TIMER_MS, raceAbort } from "../abort.ts";
import type { LoginOptions, LoginWay } from "../login/login-options.ts";
import { type LoginStore, memoryLoginStore } from "../login/login-store.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import { DEFAULT_MCP_TIMEOUT_MS } from "../schema/defaults.ts";
import { Secrets } from "../secrets.ts";
import type { CallOptions, Connect, Connection, McpMethod, ServerChange, ServerLogin } from "./connection.ts";
import { McpError, toToolError } from "./errors.ts";
import type { InputOptions, OnInput } from "./input.ts";
import type { LoginRequiredError } from "./login/login-required.ts";
import type { Challenge } from "./login/login-target.ts";
import type { McpListed, McpListKind, McpResult, McpTool } from "./protocol.ts";
import { type RenderedServer, renderServer, type ServerPlan } from "./server-plan.ts";
import { abortedError } from "./timeout.ts";

export interface McpPoolOptions {
  /** What the servers' settings see as `env`. */
  readonly env: Readonly<Record<string, unknown>>;
  /** Values of `env` that are shown in errors. Default: none. */
  readonly publicValues?: ReadonlySet<string>;
  /** Where servers that are programs run. */
  readonly cwd: string;
  /** Bytes of one message of a server. */
  readonly maxMessageBytes: number;
  /** Milliseconds to start a server and shake hands, and again to list its tools. Default 30,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds after its last call in which a session stays open. Default 300,000. */
  readonly idleTimeoutMs?: number;
  /** For servers over HTTP. Default: no proxy. */
  readonly proxy?: ProxyRules | undefined;
  /** How people log in to servers that ask for it. */
  readonly login?: LoginOptions | undefined;
  /** Asks a person what a server wants to know. Default: no one is asked, and servers are told so. */
  readonly onInput?: OnInput | undefined;
  /** Extensions of the protocol that the program supports, by their ids. Default: none. */
  readonly extensions?: Readonly<Record<string, object>> | undefined;
  /** Called with each message to and from a server, without secrets. Default: not reported. */
  readonly onMessage?: ((message: McpMessage) => void) | undefined;
  /** How a session is opened; loads the MCP SDK on first use. */
  readonly connect?: Connect;
}

export interface PoolCallOptions {
  readonly signal?: AbortSignal;
  /** Default: the server's own, then 60,000. The time to open a session is not counted. */
  readonly timeoutMs?: number;
  readonly onProgress?: CallOptions["onProgress"];
  readonly input?: InputOptions | undefined;
}

/** A message of the Model Context Protocol, as text. */
export interface McpMessage {
  readonly server: string;
  /** `sent` to the server or `received` from it. */
  readonly direction: "sent" | "received";
  /** ISO 8601. */
  readonly at: string;
  /** Its JSON, without secrets, and at most its first 64 kB. */
  readonly text: string;
  /** Characters of the whole message. */
  readonly size: number;
}

const MAX_MESSAGE_CHARS = 64 * 1024;

/** A server of the file as it is now. */
export interface McpServerState {
  readonly name: string;
  /** `closed`: it had a session, and gets a new one with the next call. */
  readonly state: "not_started" | "connected" | "closed";
  /** The end of what its process printed to stderr, without secrets; the latest process, if there were several. */
  readonly stderr?: string;
}

const CONNECT_TIMEOUT_MS = 30_000;
const IDLE_TIMEOUT_MS = 5 * 60_000;
const MAX_TOKENS = 100;

/** An open session and the calls that use it. */
interface PooledSession {
  readonly connection: Connection;
  users: number;
  /** Not used for new calls; closed when the last call ends. */
  isEvicted: boolean;
  /** Closes the session after a time without calls. */
  idle?: NodeJS.Timeout;
}

/** A server's current session, or the one that is being opened, shared by all callers. */
interface Slot {
  readonly opening: Promise<PooledSession>;
  session?: PooledSession;
}

/**
 * The MCP servers of one client. Each has at most one live session: opened on first use, shared by all calls,
 * opened again after a crash, closed when idle. Failures are `ToolError`s.
 */
export class McpPool {
  readonly #servers: ReadonlyMap<string, ServerPlan>;
  readonly #options: McpPoolOptions;
  readonly #rendered = new Map<string, RenderedServer>();
  readonly #slots = new Map<string, Slot>();
  /** Everything that is open or closing, also what is no longer in a slot. */
  readonly #open = new Set<PooledSession>();
  /** The latest session of each server, open or not. */
  readonly #latest = new Map<string, PooledSession>();
  readonly #closing = new AbortController();
  /** Tokens of servers, so that none is shown. */
  readonly #tokens = new Map<string, Set<string>>();
  readonly #loginOptions: LoginOptions & { readonly store: LoginStore };
  /** Whether new sessions are told that a person can be asked. */
  #asksForInput: boolean;
  #onChange: ((server: string, change: ServerChange) => void) | undefined;

  constructor(servers: ReadonlyMap<string, ServerPlan>, options: McpPoolOptions) {
    this.#servers = servers;
    this.#options = options;
    this.#asksForInput = options.onInput !== undefined;
    this.#loginOptions = { ...options.login, store: options.login?.store ?? memoryLoginStore() };
  }

  has(name: string): boolean {
    return this.#servers.has(name);
  }

  /** The env values in a server's settings. Nothing may be reported about the server before these are masked. */
  secrets(name: string): readonly unknown[] {
    const tokens = this.#tokens.get(name) ?? [];
    return [...this.#render(name).secrets, ...(this.#options.proxy?.secrets ?? []), ...tokens];
  }

  /** Names of the servers that can ask for a login. */
  loginNames(): string[] {
    return [...this.#servers].flatMap(([name, { target }]) => (target.type === "stdio" ? [] : name));
  }

  /** A person logs in to the server, whether it has asked for that or not. */
  async login(name: string, way: LoginWay): Promise<void> {
    await this.#login(name, {}, way).catch((error) => Promise.reject(toToolError(error)));
    const session = this.#slots.get(name)?.session;
    if (session !== undefined) this.#evict(name, session);
  }

  /** Every server as it is now. */
  states(): readonly McpServerState[] {
    return [...this.#servers.keys()].map((name) => {
      const session = this.#latest.get(name);
      const stderr = session?.connection.stderr;
      const state = session === undefined ? "not_started" : session.isEvicted ? "closed" : "connected";
      return { name, state, ...(stderr === undefined ? {} : { stderr }) };
    });
  }

  /** Ends the server's session, once its calls have ended, and opens another. */
  async restart(name: string, signal?: AbortSignal): Promise<void> {
    const session = this.#slots.get(name)?.session;
    if (session !== undefined) this.#evict(name, session);
    await this.#session(name, signal, false);
  }

  listTools(name: string, signal?: AbortSignal): Promise<readonly McpTool[]> {
    return this.#use(name, signal, (connection) =>
      connection.listTools({ timeoutMs: this.#listTimeoutMs, signal }),
    );
  }

  list<Kind extends McpListKind>(
    name: string,
    kind: Kind,
    signal?: AbortSignal,
  ): Promise<readonly McpListed[Kind][] | undefined> {
    return this.#use(name, signal, (connection) =>
      connection.list(kind, { timeoutMs: this.#listTimeoutMs, signal }),
    );
  }

  callTool(
    name: string,
    tool: string,
    args: Readonly<Record<string, unknown>>,
    options: PoolCallOptions,
  ): Promise<McpResult> {
    const request = this.#withInput(options);
    return this.#use(
      name,
      options.signal,
      (connection) =>
        connection.callTool(tool, args, { ...request, timeoutMs: this.#timeoutOf(name, options) }),
      wantsInput(request),
    );
  }

  /** Any other request to a server. */
  request(
    name: string,
    method: McpMethod,
    params: Readonly<Record<string, unknown>>,
    options: PoolCallOptions = {},
  ): Promise<Readonly<Record<string, unknown>>> {
    const request = this.#withInput(options);
    return this.#use(
      name,
      options.signal,
      (connection) =>
        connection.request(method, params, { ...request, timeoutMs: this.#timeoutOf(name, options) }),
      wantsInput(request),
    );
  }

  /** Tells of changes of every server, of those that have a session. */
  watch(onChange: (server: string, change: ServerChange) => void): void {
    this.#onChange = onChange;
    for (const [name, { session }] of this.#slots) if (session) this.#watch(name, session.connection);
  }

  /** Asks a server to tell of changes of these resources; opens a session if there is none. */
  watchResources(name: string, uris: readonly string[], signal?: AbortSignal): Promise<void> {
    return this.#use(name, signal, (connection) =>
      connection.watchResources(uris, { timeoutMs: this.#listTimeoutMs, signal }),
    );
  }

  /** Ends every session and waits until no process is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#slots.values()].map((slot) => slot.opening));
    await Promise.allSettled([...this.#open].map((session) => this.#end(session)));
  }

  get #listTimeoutMs(): number {
    return this.#options.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
  }

  #timeoutOf(name: string, { timeoutMs }: PoolCallOptions): number {
    return timeoutMs ?? this.#render(name).timeoutMs ?? DEFAULT_MCP_TIMEOUT_MS;
  }

  #withInput({ signal, onProgress, input }: PoolCallOptions): Omit<CallOptions, "timeoutMs"> {
    const { onInput } = this.#options;
    return { signal, onProgress, input: onInput === undefined ? input : { onInput, ...input } };
  }

  #watch(name: string, connection: Connection): void {
    connection.watch((change) => this.#onChange?.(name, change));
  }

  async #use<T>(
    name: string,
    signal: AbortSignal | undefined,
    work: (connection: Connection) => Promise<T>,
    wantsInput = false,
  ): Promise<T> {
    for (let isRetry = false; ; isRetry = true) {
      const session = await this.#session(name, signal, wantsInput);
      session.users += 1;
      try {
        return await work(session.connection);
      } catch (error) {
        const kind = error instanceof McpError ? error.kind : undefined;
        const { onAuthorize } = this.#loginOptions;
        if (kind === "login_required" && onAuthorize && !isRetry) {
          await this.#login(name, (error as LoginRequiredError).challenge, { onAuthorize });
          continue;
        }
        if (kind === "not_sent" || kind === "connection_lost") this.#evict(name, session);
        // A call that was never sent can be sent again safely.
        if (kind !== "not_sent" || isRetry) throw toToolError(error);
      } finally {
        this.#release(session);
      }
    }
  }

  #session(
    name: string,
    signal: AbortSignal | undefined,
    wantsInput: boolean,
  ): PooledSession | Promise<PooledSession> {
    this.#asksForInput ||= wantsInput;
    const current = this.#slots.get(name)?.session;
    // The server was told that no one can be asked, which is not so any more.
    if (wantsInput && current?.connection.asksForInput === false) this.#evict(name, current);
    const slot = this.#slot(name);
    if (slot.session !== undefined) return slot.session;
    // A caller that cancels does not cancel the connection for the others.
    const waiting = signal === undefined ? slot.opening : raceAbort(slot.opening, signal);
    return waiting.catch((error) => Promise.reject(toToolError(signal?.aborted ? abortedError() : error)));
  }

  #slot(name: string): Slot {
    const existing = this.#slots.get(name);
    if (existing !== undefined) return existing;
    const slot: Slot = { opening: this.#connect(name) };
    this.#slots.set(name, slot);
    slot.opening.then(
      (session) => {
        // It may have ended already.
        if (session.isEvicted) this.#slots.delete(name);
        else slot.session = session;
      },
      () => this.#slots.delete(name),
    );
    return slot;
  }

  async #connect(name: string): Promise<PooledSession> {
    const { signal } = this.#closing;
    if (signal.aborted) throw new McpError("unavailable", "The client was closed.");
    const connection = await this.#openSession(name).catch(async (error) => {
      const { onAuthorize } = this.#loginOptions;
      const isRefused = error instanceof McpError && error.kind === "login_required";
      if (!isRefused || onAuthorize === undefined) throw error;
      // Outside the time that a server has to respond: a person takes longer.
      await this.#login(name, (error as LoginRequiredError).challenge, { onAuthorize });
      return this.#openSession(name);
    });
    const session: PooledSession = { connection, users: 0, isEvicted: false };
    this.#open.add(session);
    this.#latest.set(name, session);
    const idleTimeoutMs = Math.min(this.#options.idleTimeoutMs ?? IDLE_TIMEOUT_MS, MAX_TIMER_MS);
    // Runs from the beginning: the call that the session was opened for may have been cancelled. It must not keep the
    // process alive.
    session.idle = setTimeout(() => this.#closeIfIdle(name, session), idleTimeoutMs).unref();
    void connection.closed.then(() => this.#evict(name, session));
    if (this.#onChange !== undefined) this.#watch(name, connection);
    return session;
  }

  async #openSession(name: string): Promise<Connection> {
    const { maxMessageBytes, proxy, connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    const connect = this.#options.connect ?? (await import("./connect.ts")).connect;
    const mask = (text: string) => maskOf(this.secrets(name))(text);
    const { onMessage } = this.#options;
    return connect(this.#render(name).config, {
      ...{ timeoutMs, maxMessageBytes, proxy },
      signal: this.#closing.signal,
      mask,
      onMessage: onMessage && ((...message) => onMessage(messageOf(name, mask, ...message))),
      login: this.#serverLogin(name),
      session: { server: name, asksForInput: this.#asksForInput, extensions: this.#options.extensions },
    });
  }

  async #login(name: string, challenge: Challenge, way: LoginWay): Promise<void> {
    const { config } = this.#render(name);
    if (config.type === "stdio") throw new McpError("refused", "a program that is started has no login");
    const { logIn } = await import("./login/log-in.ts");
    await logIn(config, this.#serverLogin(name), { challenge, way, proxy: this.#options.proxy });
  }

  #serverLogin(name: string): ServerLogin {
    const tokens = this.#tokens.get(name) ?? new Set();
    this.#tokens.set(name, tokens);
    return {
      name,
      options: this.#loginOptions,
      onSecret: (value) => {
        // Old ones are still masked, but not for ever.
        if (tokens.size >= MAX_TOKENS) tokens.delete(tokens.values().next().value!);
        tokens.add(value);
      },
    };
  }

  #render(name: string): RenderedServer {
    const plan = this.#servers.get(name);
    if (plan === undefined)
      throw new McpError("unavailable", `MCP server '${name}' not registered in main schema`);
    const rendered = this.#rendered.get(name) ?? this.#renderPlan(plan);
    this.#rendered.set(name, rendered);
    return rendered;
  }

  #renderPlan(plan: ServerPlan): RenderedServer {
    const { env, cwd, publicValues } = this.#options;
    return renderServer(plan, env, cwd, publicValues);
  }

  #release(session: PooledSession): void {
    session.users -= 1;
    if (session.users > 0) return;
    if (session.isEvicted) void this.#end(session);
    else session.idle?.refresh().unref();
  }

  /** A call that is still running restarts the timer when it ends. */
  #closeIfIdle(name: string, session: PooledSession): void {
    if (session.users === 0) this.#evict(name, session);
  }

  #evict(name: string, session: PooledSession): void {
    if (session.isEvicted) return;
    session.isEvicted = true;
    if (this.#slots.get(name)?.session === session) this.#slots.delete(name);
    if (session.users === 0) void this.#end(session);
  }

  async #end(session: PooledSession): Promise<void> {
    clearTimeout(session.idle);
    await session.connection.close().catch(() => {});
    this.#open.delete(session);
  }
}

function wantsInput({ input }: Pick<CallOptions, "input">): boolean {
  return input?.onInput !== undefined;
}

/** Masked before it is cut: half a secret is not found. */
function messageOf(
  server: string,
  mask: (text: string) => string,
  direction: McpMessage["direction"],
  message: unknown,
): McpMessage {
  const text = mask(JSON.stringify(message) ?? "null");
  return {
    server,
    direction,
    at: new Date().toISOString(),
    text: text.slice(0, MAX_MESSAGE_CHARS),
    size: text.length,
  };
}

function maskOf(values: readonly unknown[]): (text: string) => string {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value, "credential");
  return (text) => secrets.mask(text);
}
