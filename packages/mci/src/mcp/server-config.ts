import type { LoginSettings } from "./login/login-settings.ts";

/** How an MCP server is reached, every template filled in. */
export type ServerConfig = StdioConfig | HttpConfig;

export interface StdioConfig {
  readonly type: "stdio";
  /** The program to start; looked up on PATH, no shell involved. */
  readonly command: string;
  readonly args?: readonly string[];
  /** Added to the short list of variables that every server gets (PATH, HOME and the like). */
  readonly env?: Readonly<Record<string, string>>;
  /** Where it runs. Default: the current directory. */
  readonly cwd?: string;
}

export interface HttpConfig {
  /** "http": Streamable HTTP, or the older SSE transport if the server knows only that. "sse": the older one at once. */
  readonly type: "http" | "sse";
  readonly url: string;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How to log in, where the server asks for it. Default: as the server's metadata says. */
  readonly auth?: LoginSettings;
}
