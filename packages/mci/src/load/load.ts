import { dirname, resolve } from "node:path";
import type { Problem } from "../errors.ts";
import type { CompiledExecution } from "../execute/execute.ts";
import { DEFAULT_LIMITS, type Limits, type PathRules } from "../execute/executor.ts";
import type { Document } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import { createCompile } from "../template/compile.ts";
import { loadJinja } from "../template/load-jinja.ts";
import type { Compile, Scope } from "../text.ts";
import { select, type ToolFilter } from "../tools/select.ts";
import { checkDocument } from "./check.ts";
import { compileTool } from "./compile-tools.ts";
import { type Finding, locateFindings } from "./locate.ts";
import { type Parsed, parseObject, parseSource } from "./parse.ts";
import { loadError } from "./problems.ts";
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
  return loadParsed(await parseSource(source), dirname(source.path), options);
}

export async function loadDocument(
  document: unknown,
  options: LoadOptions & { baseDir?: string },
): Promise<Loaded> {
  // A copy: tools are frozen, and the caller's object is the caller's.
  return loadParsed(parseObject(structuredClone(document)), resolve(options.baseDir ?? "."), options);
}

async function loadParsed(parsed: Parsed, baseDir: string, options: LoadOptions): Promise<Loaded> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { document, problems: warnings } = await checkDocument(parsed, { unknownKeys: options.unknownKeys });
  const findings: Finding[] = [];
  const compile = createCompile({
    limits,
    engine: document.templateEngine,
    jinja: usesJinja(document) ? await loadJinja() : undefined,
    report: (problem) => findings.push({ ...problem, severity: "error" }),
  });

  const context = { baseDir, compile, permissions: document, permissionsPlace: [] };
  const tools = (document.tools ?? []).flatMap((tool, index) =>
    tool.disabled ? [] : [compileTool(tool, ["tools", index], context)],
  );
  if (findings.length > 0) {
    throw loadError("schema_invalid", parsed.file, [
      ...(await locateFindings(parsed, findings)),
      ...warnings,
    ]);
  }

  return {
    tools: options.filter ? selectLoaded(tools, options.filter) : tools,
    warnings,
    env: { ...options.envVars, ...options.env },
    validating: options.validating ?? false,
    limits,
    compile,
  };
}

function selectLoaded(tools: readonly LoadedTool[], filter: ToolFilter): LoadedTool[] {
  const kept = new Set(
    select(
      tools.map(({ tool }) => tool),
      filter,
    ),
  );
  return tools.filter(({ tool }) => kept.has(tool));
}

function usesJinja({ templateEngine, tools = [] }: Document): boolean {
  return (
    templateEngine === "jinja2" ||
    tools.some(({ execution }) => "templateEngine" in execution && execution.templateEngine === "jinja2")
  );
}
