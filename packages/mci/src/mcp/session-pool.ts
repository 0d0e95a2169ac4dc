import { MAX_TIMER_MS, raceAbort } from "../abort.ts";
import type { Connection, LogLevel, ServerChange, ServerIdentity } from "./connection.ts";
import { McpError, toToolError } from "./errors.ts";
import type { LoginRequiredError } from "./login/login-required.ts";
import type { McpPoolOptions } from "./pool-options.ts";
import { CONNECT_TIMEOUT_MS, type Servers } from "./servers.ts";
import { abortedError } from "./timeout.ts";

/** A server of the file as it is now. */
export interface McpServerState {
  readonly name: string;
  /** How it is reached: `http` is Streamable HTTP, or the older SSE where the server knows only that. */
  readonly transport: "stdio" | "http" | "sse";
  /** `closed`: it had a session, and gets a new one with the next call. */
  readonly state: "not_started" | "connected" | "closed";
  /** The end of what its process printed to stderr, without secrets; the latest process, if there were several. */
  readonly stderr?: string;
  /** What the server said of itself when its latest session began, without secrets. */
  readonly identity?: ServerIdentity;
  /** From which level on it was asked for log messages. Absent: it was not asked. */
  readonly logLevel?: LogLevel;
}

/** What is asked of every session of a server, also of the one after this. */
interface Wishes {
  readonly watched: readonly string[];
  readonly logLevel: LogLevel | undefined;
}

const IDLE_TIMEOUT_MS = 5 * 60_000;

/** An open session and the calls that use it. */
interface PooledSession {
  readonly connection: Connection;
  readonly identity: ServerIdentity | undefined;
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

/** At most one live session of each server: opened on first use, shared by all calls, opened again after a crash, closed when idle. */
export class SessionPool {
  readonly #servers: Servers;
  readonly #idleTimeoutMs: number;
  readonly #slots = new Map<string, Slot>();
  /** Everything that is open or closing, also what is no longer in a slot. */
  readonly #open = new Set<PooledSession>();
  /** The latest session of each server, open or not. */
  readonly #latest = new Map<string, PooledSession>();
  readonly #closing = new AbortController();
  /** Whether new sessions are told that a person can be asked. */
  #asksForInput: boolean;
  #onChange: ((server: string, change: ServerChange) => void) | undefined;
  readonly #wishes = new Map<string, Wishes>();
  readonly #connectTimeoutMs: number;

  constructor(servers: Servers, options: McpPoolOptions) {
    const { idleTimeoutMs = IDLE_TIMEOUT_MS, connectTimeoutMs = CONNECT_TIMEOUT_MS } = options;
    const { onInput, asksForInput = false } = options;
    this.#servers = servers;
    this.#connectTimeoutMs = connectTimeoutMs;
    this.#idleTimeoutMs = Math.min(idleTimeoutMs, MAX_TIMER_MS);
    this.#asksForInput = onInput !== undefined || asksForInput;
  }

  get asksForInput(): boolean {
    return this.#asksForInput;
  }

  /** Every server as it is now. */
  states(): readonly McpServerState[] {
    return this.#servers.names.map((name) => {
      const session = this.#latest.get(name);
      const stderr = session?.connection.stderr;
      const state = session === undefined ? "not_started" : session.isEvicted ? "closed" : "connected";
      const identity = session?.identity;
      const logLevel = this.#wishes.get(name)?.logLevel;
      return {
        name,
        transport: this.#servers.transport(name),
        state,
        ...(stderr === undefined ? {} : { stderr }),
        ...(identity && { identity }),
        ...(logLevel && { logLevel }),
      };
    });
  }

  /** Does something with the server's session. Sent again once if it was not sent, or after a login. Failures are `ToolError`s. */
  async use<T>(
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
        const { onAuthorize } = this.#servers;
        if (kind === "login_required" && onAuthorize && !isRetry) {
          await this.#servers.login(name, (error as LoginRequiredError).challenge, { onAuthorize });
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

  /** Opens a session if there is none. */
  async open(name: string, signal: AbortSignal | undefined): Promise<void> {
    await this.#session(name, signal, false);
  }

  /** Asks the server's session, and each one after it, to tell of changes of these resources. */
  async watchResources(name: string, uris: readonly string[], signal?: AbortSignal): Promise<void> {
    const options = { timeoutMs: this.#connectTimeoutMs, ...(signal && { signal }) };
    // A server that is not there need not be started to be told that nothing is watched any more.
    if (uris.length > 0 || this.#slots.has(name))
      await this.use(name, signal, (connection) => connection.watchResources(uris, options));
    this.#wish(name, { watched: [...uris] });
  }

  /** The same for log messages from this level on. */
  async setLogLevel(name: string, level: LogLevel, signal?: AbortSignal): Promise<void> {
    const options = { timeoutMs: this.#connectTimeoutMs, ...(signal && { signal }) };
    await this.use(name, signal, async (connection) => connection.setLogLevel?.(level, options));
    this.#wish(name, { logLevel: level });
  }

  #wish(name: string, wish: Partial<Wishes>): void {
    const wishes = this.#wishes.get(name) ?? { watched: [], logLevel: undefined };
    this.#wishes.set(name, { ...wishes, ...wish });
  }

  /** A server that does not want to is used as it is: its session is for calls first. */
  async #renewWishes(name: string, connection: Connection): Promise<void> {
    const { watched = [], logLevel } = this.#wishes.get(name) ?? {};
    if (watched.length === 0 && logLevel === undefined) return;
    const options = { timeoutMs: this.#connectTimeoutMs };
    if (watched.length > 0) await connection.watchResources(watched, options).catch(() => {});
    if (logLevel !== undefined) await connection.setLogLevel?.(logLevel, options).catch(() => {});
  }

  /** No new call uses the server's session; it is closed when the last call ends. */
  drop(name: string): void {
    const session = this.#slots.get(name)?.session;
    if (session !== undefined) this.#evict(name, session);
  }

  /** Tells of changes of every server, of those that have a session. */
  watch(onChange: (server: string, change: ServerChange) => void): void {
    this.#onChange = onChange;
    for (const [name, { session }] of this.#slots) if (session) this.#watch(name, session.connection);
  }

  /** Ends every session and waits until no process is left. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#slots.values()].map((slot) => slot.opening));
    await Promise.allSettled([...this.#open].map((session) => this.#end(session)));
  }

  #watch(name: string, connection: Connection): void {
    connection.watch((change) => this.#onChange?.(name, change));
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
    const open = () => this.#servers.open(name, signal, this.#asksForInput);
    const connection = await open().catch(async (error) => {
      const { onAuthorize } = this.#servers;
      const isRefused = error instanceof McpError && error.kind === "login_required";
      if (!isRefused || onAuthorize === undefined) throw error;
      // Outside the time that a server has to respond: a person takes longer.
      await this.#servers.login(name, (error as LoginRequiredError).challenge, { onAuthorize });
      return open();
    });
    const identity = this.#servers.mask(name, connection.identity);
    const session: PooledSession = { connection, identity, users: 0, isEvicted: false };
    this.#open.add(session);
    this.#latest.set(name, session);
    // Runs from the beginning: the call that the session was opened for may have been cancelled. It must not keep the
    // process alive.
    session.idle = setTimeout(() => this.#closeIfIdle(name, session), this.#idleTimeoutMs).unref();
    void connection.closed.then(() => this.#evict(name, session));
    // After them: to watch is one request for everything, in the revisions that have one.
    void this.#renewWishes(name, connection).then(() => this.#onChange && this.#watch(name, connection));
    return session;
  }

  #release(session: PooledSession): void {
    session.users -= 1;
    if (session.users > 0) return;
    if (session.isEvicted) void this.#end(session);
    else session.idle?.refresh().unref();
  }

  /** A call that is still running restarts the timer when it ends. A session that tells of changes is in use. */
  #closeIfIdle(name: string, session: PooledSession): void {
    if (session.users > 0) return;
    if ((this.#wishes.get(name)?.watched.length ?? 0) > 0) session.idle?.refresh().unref();
    else this.#evict(name, session);
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
