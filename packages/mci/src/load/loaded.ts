import type { Problem } from "../errors.ts";
import type { CompiledExecution } from "../execute/execute.ts";
import type { Limits, PathRules } from "../execute/executor.ts";
import type { LoginOptions } from "../login/login-options.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { OnInput } from "../mcp/input.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { Document, McpServer } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import type { Compile, Scope } from "../template-api.ts";
import type { LoadedContent } from "./content/content.ts";

export interface Loaded {
  readonly metadata: NonNullable<Document["metadata"]>;
  readonly tools: readonly LoadedTool[];
  readonly warnings: readonly Problem[];
  readonly env: Readonly<Record<string, unknown>>;
  /** Values of `env` that are shown in errors. */
  readonly publicValues: ReadonlySet<string>;
  readonly validating: boolean;
  readonly limits: Limits;
  readonly proxy: ProxyRules | undefined;
  readonly login: LoginOptions & { readonly store: LoginStore };
  /** The entry file and its toolset files, symbolic links resolved. */
  readonly files: ReadonlySet<string>;
  /** The MCP servers of the entry file, as written. */
  readonly servers: Readonly<Record<string, McpServer>>;
  /** Tools that are not as they were locked, with what is said to their callers. */
  readonly refused?: ReadonlyMap<string, string>;
  /** Asks people, where a call does not say how. */
  readonly onInput?: OnInput | undefined;
  /** The file's MCP servers; the owner closes it. */
  readonly mcp?: McpPool;
  /** Prompts and resources. Absent where there can be none. */
  readonly content?: LoadedContent;
  /** Loads the lists of one server again, on the session that it has. Absent without servers. */
  readonly refresh?: (server: string) => Promise<Loaded>;
}

/** A tool, ready to run. */
export interface LoadedTool {
  readonly tool: Tool;
  readonly compiled: CompiledExecution;
  /** For texts that are read during its calls: the language of the file it comes from. */
  readonly compile: Compile;
  readonly paths: (scope: Scope) => PathRules;
  /** What its files say for all their tools; a part of the lock. */
  readonly settings?: object;
  /** Where it reads other input than it shows. */
  readonly input?: InputOverride;
}

/** The input of a tool of which a part is set by the file that includes it. */
export interface InputOverride {
  /** What calls are checked by: the schema with all properties. */
  readonly schema: Tool["inputSchema"];
  /** Sent with every call. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Names that no caller can give a value to; all fixed ones are among them. */
  readonly hidden: ReadonlySet<string>;
  /** Used where the caller gives no value, for names that the schema has only inside other schemas. */
  readonly defaults: Readonly<Record<string, unknown>>;
}
