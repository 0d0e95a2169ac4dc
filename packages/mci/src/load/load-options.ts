import type { Limits } from "../execute/executor.ts";
import type { LoginOptions } from "../login/login-options.ts";
import type { OnInput } from "../mcp/input.ts";
import type { McpMessage } from "../mcp/message-log.ts";
import type { ProxySettings } from "../proxy/settings.ts";
import type { ToolFilter } from "../tools/select.ts";
import type { ToolLock } from "./lock/lock.ts";

export interface LoadOptions {
  /** The `env` of templates; the process environment is never read. Default: empty. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Alias of `env`. */
  readonly envVars?: Readonly<Record<string, unknown>>;
  /** Check everything, start and connect to nothing; `execute` throws. Default false. */
  readonly validating?: boolean;
  /** Tools outside the filter do not exist for this client: neither listed nor executed. Default: all. */
  readonly filter?: ToolFilter;
  /** Keys the format does not know: ignored, listed in `warnings`, or an error. Default "warn". */
  readonly unknownKeys?: "ignore" | "warn" | "error";
  /**
   * "load": a malformed template is an error of loading, reported with all others. "call": a template is parsed when
   * its tool is first called, and fails then; large files load faster. Default "load".
   */
  readonly parseTemplates?: "load" | "call";
  /** Caps on sizes, loops and depth; each has a default. */
  readonly limits?: Partial<Limits>;
  /** Failing to fetch the tools of an MCP server, or a tool of a server with the name of another tool, is an error, not a warning. Default false. */
  readonly strict?: boolean;
  /**
   * Fetch the tools of MCP servers. Default true. If false, nothing is started or connected to while loading, and
   * their tools are missing; a tool of the file that calls a server still reaches it.
   */
  readonly fetchMcpTools?: boolean;
  /** Fetch the tools of MCP servers even where a cached list has not expired. Default false. */
  readonly refreshMcpTools?: boolean;
  /**
   * The tools as they were reviewed: a lock, or the path of the file that `mci lock` wrote. A tool that changed since is
   * refused, a new one is hidden; `warnings` says which and why. Default: none.
   */
  readonly lock?: string | URL | ToolLock;
  /**
   * The proxy for http tools and MCP servers over HTTP: one address for all, or one by scheme and the hosts that need none.
   * The environment is not read. Default: every host is reached directly.
   */
  readonly proxy?: string | URL | ProxySettings;
  /** Logins of MCP servers and APIs that ask for one. Default: what needs a login fails with `login_required`. */
  readonly auth?: LoginOptions;
  /**
   * Asks a person what an MCP server wants to know during a call. Default: no one is asked; a call that needs input fails and
   * says what was asked. A call may have its own.
   */
  readonly onInput?: OnInput;
  /** Timeouts of MCP servers, and what is declared to them. */
  readonly mcp?: McpTimeouts;
  /** The text of the file, in place of the one on disk: for editors. Default: the file is read. */
  readonly source?: string;
  /** Cancels loading: servers that were started are stopped, and `load` rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Called when the tools of an MCP server are fetched, and with the outcome. Not called for a cached tool list. */
  readonly onMcpServer?: (server: string, state: "fetching" | "fetched" | "failed") => void;
  /**
   * Where OpenTelemetry is registered: put the arguments and results of calls into their spans, without secrets. Default
   * false: spans have names, counts and kinds of errors only.
   */
  readonly traceContent?: boolean;
  /** Called with each message to and from an MCP server, without secrets. Default: not reported. */
  readonly onMcpMessage?: (message: McpMessage) => void;
}

export interface McpTimeouts {
  /** Milliseconds for starting or reaching a server and the handshake, and again for listing its tools. Default 30,000. */
  readonly connectTimeoutMs?: number;
  /** Milliseconds that an idle session of a server stays open. Default 300,000. */
  readonly idleTimeoutMs?: number;
  /** Extensions of the protocol that the program supports, by their ids; servers are told. Default: none. */
  readonly extensions?: Readonly<Record<string, object>>;
  /**
   * Tell servers from their first session on that a person can be asked, where each call brings its own `onInput`. Default: they are told
   * with the first such call, for which a session is opened again.
   */
  readonly asksForInput?: boolean;
}
