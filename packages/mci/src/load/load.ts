import { dirname, resolve } from "node:path";
import { MCIClientError, type Problem } from "../errors.ts";
import { type CompiledExecution, compileExecution } from "../execute/execute.ts";
import { DEFAULT_LIMITS, type Limits, type PathRules } from "../execute/executor.ts";
import type { Document } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import { createCompile } from "../template/compile.ts";
import type { Compile, Place, Scope } from "../text.ts";
import { select, type ToolFilter } from "../tools/select.ts";
import { checkDocument } from "./check.ts";
import { type Parsed, parseObject, parseSource } from "./parse.ts";
import { readSource } from "./read.ts";

export interface LoadOptions {
  /** What templates see as `env`, exactly; the process environment is never read. Default: nothing. */
  readonly env?: Readonly<Record<string, unknown>>;
  /** Alias of `env`. */
  readonly envVars?: Readonly<Record<string, unknown>>;
  /** Check everything, start and connect nothing; `execute` is refused. Default false. */
  readonly validating?: boolean;
  /** Tools outside the filter do not exist for this client: neither listed nor executed. Default: all. */
  readonly filter?: ToolFilter;
  /** Keys the format does not know: ignored, listed in `warnings`, or an error. Default "ignore". */
  readonly unknownKeys?: "ignore" | "warn" | "error";
  /** Caps on sizes, loops and depth; each has a default. */
  readonly limits?: Partial<Limits>;
}

export interface Loaded {
  readonly tools: readonly LoadedTool[];
  readonly warnings: readonly Problem[];
  readonly env: Readonly<Record<string, unknown>>;
  readonly validating: boolean;
  readonly limits: Limits;
  readonly compile: Compile;
}

/** A tool, ready to run. */
export interface LoadedTool {
  readonly tool: Tool;
  readonly compiled: CompiledExecution;
  readonly paths: (scope: Scope) => PathRules;
}

export async function loadFile(path: string | URL, options: LoadOptions): Promise<Loaded> {
  const source = await readSource(path);
  return loadParsed(await parseSource(source), dirname(source.file), options);
}

export async function loadDocument(document: unknown, options: LoadOptions & { baseDir?: string }): Promise<Loaded> {
  return loadParsed(parseObject(document), resolve(options.baseDir ?? "."), options);
}

async function loadParsed(parsed: Parsed, baseDir: string, options: LoadOptions): Promise<Loaded> {
  return undefined as never;
}
