import type { ApiLogin } from "../login/api/api-login.ts";
import type { LoginOptions } from "../login/login-options.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { InputOptions } from "../mcp/input.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { Preview } from "../preview.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { Outcome } from "../result.ts";
import type { Tool } from "../schema/tool.ts";
import type { Compile, JsonPath, Scope, TemplateLimits } from "../template-api.ts";
import type { HttpExchange } from "./http-exchange.ts";

/**
 * How one kind of execution works. A new kind is one new file plus one line in the record of `execute.ts`.
 * Heavy dependencies are imported inside `open` or `run`, so that a file that does not use them never loads them.
 */
export interface Executor<Execution, Plan, Session = unknown> {
  /** At load: parse every template of the execution, once. Pure. */
  compile(execution: Execution, compile: Compile, place: JsonPath): Plan;
  /** On first use by a client: what calls share (connection pool, token cache). */
  open?(options: SessionOptions): Promise<Session> | Session;
  /** One call. Failures are thrown as `ToolError`. Never changes plan, tool or scope. */
  run(plan: Plan, call: Call, session: Session): Promise<Outcome>;
  /** The same call, up to where something would be sent or started. */
  preview(plan: Plan, call: Call, options: SessionOptions): Promise<Preview>;
  /** The login of a person that its calls need, if they need one. */
  login?(plan: Plan, scope: Scope): ApiLogin | undefined;
  /** When the client closes. */
  close?(session: Session): Promise<void>;
}

/** One execution in flight. */
export interface Call {
  readonly tool: Tool;
  readonly scope: Scope;
  /** Aborts when the caller cancels or the client closes. Never undefined. */
  readonly signal: AbortSignal;
  /** The caller's own signal, if there is one: for executors whose sessions end their calls when they are closed. */
  readonly callerSignal?: AbortSignal;
  readonly paths: PathRules;
  /** The MCI file and its toolset files, symbolic links resolved: no caller may read them. */
  readonly protectedFiles?: ReadonlySet<string>;
  readonly limits: Limits;
  readonly compile: Compile;
  /** Takes the secrets that were used so far out of a text. Every text is masked before it is cut. */
  readonly mask: (text: string) => string;
  /** Sent in the header that the tool's `idempotency` names. */
  readonly idempotencyKey?: string | undefined;
  /** For MCP servers: who is asked for input, and `_meta`. */
  readonly input?: InputOptions | undefined;
  /** Each request on the wire with its response, for those who look into a call. */
  readonly onExchange?: ((exchange: HttpExchange) => void) | undefined;
  /** Progress of a long call, where the executor learns of it. */
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

/** Which part of the file system a tool may touch. */
export interface PathRules {
  /** The entry file's directory: relative paths start here, and it is always allowed. */
  readonly baseDir: string;
  readonly enableAnyPaths: boolean;
  /** Further allowed directories; relative ones start at `baseDir`. Already rendered. */
  readonly directoryAllowList: readonly string[];
  /** Rules that hold besides these: a toolset file may narrow what the entry file allows, never widen it. */
  readonly within?: PathRules | undefined;
  /** Files that are refused although they lie in an allowed directory. Default: none. */
  readonly isProtected?: (real: string) => boolean;
}

export interface SessionOptions {
  readonly limits: Limits;
  /** The MCP servers of the client's file; undefined if it names none. */
  readonly mcp?: McpPool;
  /** Default: no proxy. */
  readonly proxy?: ProxyRules | undefined;
  /** Logins of people. Default: in memory. */
  readonly login?: LoginOptions & { readonly store: LoginStore };
}

export interface Limits extends TemplateLimits {
  /** Bytes of an HTTP response body. Default 10 MiB. */
  readonly maxResponseBytes: number;
  /** Bytes a command may print, standard output and standard error each. Default 10 MiB. */
  readonly maxCommandOutputBytes: number;
  /** Bytes of a file that is read. Default 10 MiB. */
  readonly maxFileBytes: number;
}

export const DEFAULT_LIMITS: Limits = {
  maxTemplateOutput: 10 * 1024 * 1024,
  maxTemplateLoops: 1_000_000,
  maxTemplateDepth: 100,
  maxResponseBytes: 10 * 1024 * 1024,
  maxCommandOutputBytes: 10 * 1024 * 1024,
  maxFileBytes: 10 * 1024 * 1024,
};
