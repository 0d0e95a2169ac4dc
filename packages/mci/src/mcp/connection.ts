import type { LoginOptions } from "../login/login-options.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { McpResult, McpTool } from "./protocol.ts";
import type { ServerConfig } from "./server-config.ts";

/** A live session with one MCP server. Many calls may be in flight at once. Failures are thrown as `McpError`. */
export interface Connection {
  /** Settles when the session is over, by `close()` or because the server went away. Never rejects. */
  readonly closed: Promise<void>;
  /** The end of what the server's process printed to stderr, without secrets. Absent where there is no process. */
  readonly stderr?: string;
  /** Every tool of the server, all pages. */
  listTools(options: RequestOptions): Promise<readonly McpTool[]>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<McpResult>;
  /** Ends the session, and the server's process if there is one. May be called twice. */
  close(): Promise<void>;
}

export interface RequestOptions {
  /** Milliseconds until the request is given up. */
  readonly timeoutMs: number;
  /** Cancels the request; the server is notified. */
  readonly signal?: AbortSignal;
}

export interface CallOptions extends RequestOptions {
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

export interface ConnectOptions {
  /** Milliseconds for starting the server and shaking hands. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes of one message of the server. */
  readonly maxMessageBytes: number;
  /** Takes the server's secrets out of what it printed or sent, before that is cut. Default: nothing is removed. */
  readonly mask?: (text: string) => string;
  /** For servers over HTTP. Default: no proxy. */
  readonly proxy?: ProxyRules | undefined;
  /** For servers over HTTP that ask for a login. Default: their refusal is an error like any other. */
  readonly login?: ServerLogin | undefined;
}

/** What the login of one server needs. */
export interface ServerLogin {
  /** The name that the file gives the server. */
  readonly name: string;
  readonly options: LoginOptions & { readonly store: LoginStore };
  readonly onSecret: (value: string) => void;
}

export type Connect = (config: ServerConfig, options: ConnectOptions) => Promise<Connection>;
