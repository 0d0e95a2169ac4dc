import type { ToolFilter } from "mci-ts";
import type { Context } from "../command.ts";

/** What `mci run` asks of the server. `serve` resolves with the exit code once everything is closed. */
export interface ServeOptions {
  /** The MCI file, absolute. */
  readonly file: string;
  /** Reads the environment for templates; called again when the file is reloaded, since env files may have changed. */
  readonly env: () => Promise<Readonly<Record<string, string>>>;
  /** Tools outside it are neither listed nor called. */
  readonly filter: ToolFilter;
  /** Serve Streamable HTTP there; undefined: serve standard input and output. */
  readonly http?: { readonly host: string; readonly port: number };
  /** What HTTP clients must present; undefined: none on loopback, a generated one elsewhere. */
  readonly token?: string;
  /** Reload when the file or a toolset changes. */
  readonly watch: boolean;
  /**
   * Standard streams, and the signal that aborts on SIGINT or SIGTERM: calls in flight then get a few seconds.
   * On stdio nothing but protocol may be written to `stdout`.
   */
  readonly context: Context;
}

export type Serve = (options: ServeOptions) => Promise<number>;
