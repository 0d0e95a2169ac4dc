import type { LoginOptions } from "../login/login-options.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { CallOptions, Connect } from "./connection.ts";
import type { InputOptions, OnInput } from "./input.ts";
import type { McpMessage } from "./message-log.ts";

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
  /** Whether servers are told that a person can be asked before a call says so. Default: with `onInput`. */
  readonly asksForInput?: boolean;
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
