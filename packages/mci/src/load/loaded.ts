import type { Problem } from "../errors.ts";
import type { Limits } from "../execute/executor.ts";
import type { LoginOptions } from "../login/login-options.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { OnInput } from "../mcp/input.ts";
import type { McpPool } from "../mcp/pool.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { Document, McpServer } from "../schema/document.ts";
import type { LoadedContent } from "./content/content.ts";
import type { LoadedTool } from "./loaded-tool.ts";

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
  /** Spans of calls have their arguments and results. */
  readonly traceContent: boolean;
  /** Asks people, where a call does not say how. */
  readonly onInput?: OnInput | undefined;
  /** The file's MCP servers; the owner closes it. */
  readonly mcp?: McpPool;
  /** Where the file's own skills would be. Absent for a document in memory. */
  readonly skillsDir?: string;
  /** Prompts, resources and skills of servers. Absent where there can be none. */
  readonly content?: LoadedContent;
  /** Loads the lists of one server again, on the session that it has. Absent without servers. */
  readonly refresh?: (server: string) => Promise<Loaded>;
}

export type { InputOverride, LoadedTool } from "./loaded-tool.ts";
