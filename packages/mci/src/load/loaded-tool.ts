import type { CompiledExecution } from "../execute/execute.ts";
import type { PathRules } from "../execute/executor.ts";
import type { Tool } from "../schema/tool.ts";
import type { Compile, Scope } from "../template-api.ts";

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
