import type { LoadOptions, ToolFilter } from "mci-ts";
import type { Context } from "../command.ts";
import type { Environment } from "../project/env.ts";
import type { IssuerOptions } from "./issuer/issuer-options.ts";
import type { ModeOf } from "./reloadable-client.ts";

/** Options of `serve`, which resolves with the exit code once everything is closed. */
export interface ServeOptions {
  /** The MCI file, absolute. */
  readonly file: string;
  /** Reads the environment for templates; called again when the file is reloaded, since env files may have changed. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  /** Files given with --dotenv, absolute: watched like the usual ones. Default: none. */
  readonly envFiles?: readonly string[];
  /** Tools outside it are neither listed nor called. */
  readonly filter: ToolFilter;
  /** The lock file: tools that are not as it says are not served. Default: none. */
  readonly lock?: string;
  /** What clients see instead of every tool. Default: every tool. */
  readonly modeOf?: ModeOf | undefined;
  /** Time limits of MCP servers. Default: the library's. */
  readonly mcp?: LoadOptions["mcp"];
  /** Serve Streamable HTTP there; undefined: serve standard input and output. */
  readonly http?: { readonly host: string; readonly port: number };
  /** Bearer token of HTTP clients; undefined: none on loopback, a generated one elsewhere. */
  readonly token?: string;
  /** Where clients reach the MCP endpoint, for the server card. Default: where they ask for the card. */
  readonly publicUrl?: string | undefined;
  /** The issuer whose tokens count. Default: none. */
  readonly issuer?: IssuerOptions | undefined;
  /** Host names that clients may call the server by, besides those of this machine. Default: none. */
  readonly allowedHosts?: readonly string[];
  /**
   * HTTP requests per second for each client address; 0: no limit. Default 100, and no limit for clients on this
   * machine.
   */
  readonly rateLimit?: number;
  /** Serve the web console at the same address. Default: only MCP. */
  readonly ui?: {
    readonly environment: () => Promise<Environment>;
    readonly plans: string;
    /** Whether calls are stored in a file, and those of earlier commands listed. */
    readonly storeCalls: boolean;
  };
  /** Reload when the file, a toolset or an env file changes. */
  readonly watch: boolean;
  /**
   * Standard streams, and the signal that aborts on SIGINT or SIGTERM: calls in flight then get a few seconds.
   * On stdio nothing but protocol may be written to `stdout`.
   */
  readonly context: Context;
}

export type Serve = (options: ServeOptions) => Promise<number>;
