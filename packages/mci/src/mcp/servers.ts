import type { LoginOptions, LoginWay } from "../login/login-options.ts";
import { type LoginStore, memoryLoginStore } from "../login/login-store.ts";
import { Secrets } from "../secrets.ts";
import type { Connection, ServerLogin } from "./connection.ts";
import { McpError } from "./errors.ts";
import type { Challenge } from "./login/login-target.ts";
import { messageOf } from "./message-log.ts";
import type { McpPoolOptions } from "./pool-options.ts";
import type { ServerConfig } from "./server-config.ts";
import { type RenderedServer, renderServer, type ServerPlan } from "./server-plan.ts";

export const CONNECT_TIMEOUT_MS = 30_000;
const MAX_TOKENS = 100;

/** The servers of a file: their settings, what is secret about them, how a session is opened and a person logs in. */
export class Servers {
  readonly #plans: ReadonlyMap<string, ServerPlan>;
  readonly #options: McpPoolOptions;
  readonly #rendered = new Map<string, RenderedServer>();
  /** Tokens of servers, so that none is shown. */
  readonly #tokens = new Map<string, Set<string>>();
  readonly #loginOptions: LoginOptions & { readonly store: LoginStore };

  constructor(plans: ReadonlyMap<string, ServerPlan>, options: McpPoolOptions) {
    this.#plans = plans;
    this.#options = options;
    this.#loginOptions = { ...options.login, store: options.login?.store ?? memoryLoginStore() };
  }

  get names(): readonly string[] {
    return [...this.#plans.keys()];
  }

  has(name: string): boolean {
    return this.#plans.has(name);
  }

  /** Names of the servers that can ask for a login. */
  loginNames(): string[] {
    return [...this.#plans].flatMap(([name, { target }]) => (target.type === "stdio" ? [] : name));
  }

  transport(name: string): ServerConfig["type"] {
    return this.#plans.get(name)!.target.type;
  }

  /** How people log in during a call, if they can. */
  get onAuthorize(): LoginOptions["onAuthorize"] {
    return this.#loginOptions.onAuthorize;
  }

  /** How it is reached, for spans; nothing where its settings cannot be filled in. */
  peer(name: string): Readonly<Record<string, string | number>> {
    try {
      const { config } = this.settings(name);
      if (config.type === "stdio") return { "network.transport": "pipe" };
      const { hostname, port, protocol } = new URL(config.url);
      const number = port === "" ? (protocol === "https:" ? 443 : 80) : Number(port);
      return {
        "network.transport": "tcp",
        "server.address": this.mask(name, hostname),
        "server.port": number,
      };
    } catch {
      return {};
    }
  }

  /** The settings with `env` filled in. */
  settings(name: string): RenderedServer {
    const plan = this.#plans.get(name);
    if (plan === undefined)
      throw new McpError("unavailable", `MCP server '${name}' not registered in main schema`);
    const { env, cwd, publicValues } = this.#options;
    const rendered = this.#rendered.get(name) ?? renderServer(plan, env, cwd, publicValues);
    this.#rendered.set(name, rendered);
    return rendered;
  }

  /**
   * The env values in a server's settings. Nothing may be reported about the server before these are masked. A server whose settings
   * cannot be filled in was sent none.
   */
  secrets(name: string): readonly unknown[] {
    try {
      const tokens = this.#tokens.get(name) ?? [];
      return [...this.settings(name).secrets, ...(this.#options.proxy?.secrets ?? []), ...tokens];
    } catch {
      return [];
    }
  }

  /** The value without the secrets of the server. */
  mask<T>(name: string, value: T): T {
    return secretsOf(this.secrets(name)).mask(value);
  }

  async open(name: string, signal: AbortSignal, asksForInput: boolean): Promise<Connection> {
    const { maxMessageBytes, proxy, connectTimeoutMs: timeoutMs = CONNECT_TIMEOUT_MS } = this.#options;
    const connect = this.#options.connect ?? (await import("./connect.ts")).connect;
    const mask = (text: string) => this.mask(name, text);
    const { onMessage } = this.#options;
    return connect(this.settings(name).config, {
      ...{ timeoutMs, maxMessageBytes, proxy },
      signal,
      mask,
      onMessage: onMessage && ((...message) => onMessage(messageOf(name, mask, ...message))),
      login: this.#serverLogin(name),
      session: { server: name, asksForInput, drivesTasks: true, extensions: this.#options.extensions },
    });
  }

  async login(name: string, challenge: Challenge, way: LoginWay): Promise<void> {
    const { config } = this.settings(name);
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
}

function secretsOf(values: readonly unknown[]): Secrets {
  const secrets = new Secrets();
  for (const value of values) secrets.add(value, "credential");
  return secrets;
}
