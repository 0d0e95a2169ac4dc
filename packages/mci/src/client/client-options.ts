import type { ApprovePlan } from "../code/plan/plan.ts";
import type { DefinitionWarning } from "../definitions/definitions.ts";
import type { Call } from "../execute/executor.ts";
import type { LoadOptions } from "../load/load-options.ts";
import type { InputOptions } from "../mcp/input.ts";
import type { Embed } from "../search/search.ts";
import type { ToolFilter } from "../tools/select.ts";
import type { Approve } from "./call.ts";

export interface ExecuteOptions extends InputOptions {
  /** Cancels the call; the result is then an error with code `aborted`. */
  readonly signal?: AbortSignal;
  /** Called with progress, for tools that report it (MCP servers do). */
  readonly onProgress?: Call["onProgress"];
  /** Called with each request of an http tool and its response, without secrets: attempts, redirects, pages. Default: not reported. */
  readonly onExchange?: Call["onExchange"];
  /**
   * Say in the content of the result which arguments the tool does not have, and what its metadata has as `notes`, such as pages that
   * were not read. `call` always does. Default false.
   */
  readonly noteIgnored?: boolean;
  /** Sent in the header that the tool's `idempotency` names, so that the service recognizes a repeated request. Default: none. */
  readonly idempotencyKey?: string;
  /** Who the call is for: templates read it as `caller`; its token is exchanged by `auth` of type `tokenExchange`. Default: not known. */
  readonly caller?: CallerIdentity;
}

/** What a checked token says about its holder. */
export interface CallerIdentity {
  readonly sub: string;
  readonly scopes?: readonly string[];
  readonly claims?: Readonly<Record<string, unknown>>;
  /** The token itself. Templates cannot read it, and it is masked in every output. */
  readonly token?: string;
}

export interface CallOptions extends ExecuteOptions {
  /** Asked before a tool runs that is not marked as read-only. Default: every call is approved. */
  readonly approve?: Approve;
  /** Tools that do not pass do not exist for this call. Default: every tool passes. */
  readonly filter?: ToolFilter;
  /** For the tools of `codeTool`: asked before a plan is committed. Default: the function that `codeTool` was given. */
  readonly approvePlan?: ApprovePlan;
}

export interface PreviewOptions {
  /** Who the call would be for. Default: not known. */
  readonly caller?: CallerIdentity | undefined;
}

export interface DefinitionOptions {
  readonly filter?: ToolFilter;
  /** Called with each part of a schema that a provider cannot express. Default: not reported. */
  readonly onWarning?: (warning: DefinitionWarning) => void;
}

export interface SearchOptions {
  /** Tools to return at most. Default 10. */
  readonly limit?: number;
  /** Tools that do not pass are not found. Default: every tool passes. */
  readonly filter?: ToolFilter;
  /** Vectors of texts: tools that mean the same are then found as well. Default: words only. */
  readonly embed?: Embed;
}

export interface SkillsOptions {
  /** Called with each skill that is not offered, and why. Default: not reported. */
  readonly onWarning?: (message: string) => void;
  /** Only of this source: `main` is the folder beside the file, `mcp:NAME` a server. Default: any. */
  readonly source?: string;
}

export interface ToolPermissions {
  /** Any path is allowed. */
  readonly enableAnyPaths: boolean;
  /** Further directories, as the file says them. */
  readonly directories: readonly string[];
}

/** A property of a tool that the file sets instead of its callers. */
export interface FixedProperty {
  readonly name: string;
  /** As the file says it; undefined: no call has a value for it. */
  readonly value?: unknown;
}

/** `load({ schemaFilePath })`: the same as `load(schemaFilePath, options)`. */
export interface LoadFileOptions extends LoadOptions {
  readonly schemaFilePath?: string;
  /** Former name of `schemaFilePath`. */
  readonly jsonFilePath?: string;
}
