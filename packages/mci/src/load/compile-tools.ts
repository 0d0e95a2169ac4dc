import { basename } from "node:path";
import {
  type CompiledExecution,
  compileExecution,
  type Executors,
  openExecutors,
} from "../execute/execute.ts";
import type { Limits, PathRules } from "../execute/executor.ts";
import type { Document } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import { TemplateCompiler, type TemplateProblem } from "../template/compile.ts";
import { loadJinja } from "../template/jinja/load.ts";
import { type Compile, type JsonPath, OMITTED, type Scope, type TemplateString } from "../template-api.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { LoadOptions } from "./load-options.ts";
import type { InputOverride, LoadedTool } from "./loaded.ts";
import type { ValidParts } from "./validate/document.ts";
import { checkExpressions } from "./validate/expressions.ts";

/** Permissions of a file, a toolset reference or a tool. */
export interface Permissions {
  readonly enableAnyPaths?: boolean;
  readonly directoryAllowList?: readonly string[];
}

export interface PlacedPermissions {
  readonly permissions: Permissions;
  readonly place: JsonPath;
  readonly compile: Compile;
}

export type RulesFor = (scope: Scope) => PathRules;

/** What the tools of one file are compiled with: its template language, and the kinds of execution that it uses. */
export interface Templates {
  readonly executors: Executors;
  readonly compile: Compile;
  /** For texts that are read during calls. */
  readonly atCall: Compile;
}

/** Parses a file's templates; what cannot be parsed is among the diagnostics. A toolset reads what its entry file may. */
export async function openTemplates(
  document: Pick<
    Document,
    "templateEngine" | "tools" | "resources" | "toolsets" | "mcp_servers" | "envAllowList"
  >,
  limits: Limits,
  entryEnvAllowList?: readonly string[],
): Promise<Templates & { readonly diagnostics: Diagnostic[] }> {
  const diagnostics: Diagnostic[] = await checkExpressions(document);
  const options = {
    limits,
    engine: document.templateEngine,
    jinja: usesJinja(document) ? await loadJinja() : undefined,
  };
  const restricted = (compile: Compile) =>
    compile.readingOnly(entryEnvAllowList).readingOnly(document.envAllowList);
  const report = (problem: TemplateProblem) =>
    diagnostics.push({ ...problem, severity: problem.severity ?? "error" });
  return {
    executors: await openExecutors(kindsOf(document)),
    compile: restricted(new TemplateCompiler({ ...options, report })),
    // During a call the error itself is the report.
    atCall: restricted(new TemplateCompiler({ ...options, report: () => {} })),
    diagnostics,
  };
}

/** Template errors in the tools of a file that is rejected for another reason. */
export async function templateErrors(
  { tools, ...settings }: ValidParts,
  limits: Limits,
  entryEnvAllowList?: readonly string[],
): Promise<readonly Diagnostic[]> {
  const document = { ...settings, tools: tools.map(({ tool }) => tool) };
  const { executors, compile, diagnostics } = await openTemplates(document, limits, entryEnvAllowList);
  for (const { tool, place } of tools)
    compileExecution(tool.execution, executors, compileFor(tool, compile), [...place, "execution"]);
  return diagnostics;
}

export interface CompileToolOptions {
  /** What the tool may reach. */
  readonly paths: RulesFor;
  /** Default "load". */
  readonly parseTemplates?: LoadOptions["parseTemplates"];
  readonly input?: InputOverride;
  /** The file it comes from, for messages. Default: none, for a document in memory. */
  readonly file?: string;
  /** What its files say for all their tools. */
  readonly settings?: object;
}

/** Checks a tool's templates, now or when it is first called. */
export function compileTool(
  tool: Tool,
  place: JsonPath,
  templates: Templates,
  options: CompileToolOptions,
): LoadedTool {
  const { executors, compile } = templates;
  const { parseTemplates: when = "load", input } = options;
  if (when === "load")
    compileExecution(tool.execution, executors, compileFor(tool, compile, input), [...place, "execution"]);
  return new CompiledTool(tool, place, templates, options);
}

/** `tool 'get_user' in mci.json`: without folders, because models see it too. */
export function toolLabel(name: string, file: string | undefined): string {
  return `tool '${name}'${file === undefined ? "" : ` in ${basename(file)}`}`;
}

/** A property that the caller does not see is one all the same. */
function compileFor({ inputSchema, envAllowList }: Tool, compile: Compile, input?: InputOverride): Compile {
  return compile.declaring(input?.schema ?? inputSchema).readingOnly(envAllowList);
}

/**
 * Compiled on its first call, even if it was checked before: most tools of a large file are never called, and keeping
 * all compiled templates costs more than compiling a few of them twice.
 */
class CompiledTool implements LoadedTool {
  readonly tool: Tool;
  readonly paths: RulesFor;
  readonly input: InputOverride | undefined;
  readonly settings: object | undefined;
  readonly #place: JsonPath;
  readonly #templates: Templates;
  readonly #file: string | undefined;
  #compile: Compile | undefined;
  #compiled: CompiledExecution | undefined;

  constructor(tool: Tool, place: JsonPath, templates: Templates, options: CompileToolOptions) {
    this.tool = tool;
    this.paths = options.paths;
    this.input = options.input;
    this.settings = options.settings;
    this.#place = place;
    this.#templates = templates;
    this.#file = options.file;
  }

  get compile(): Compile {
    this.#compile ??= compileFor(
      this.tool,
      this.#templates.atCall.forTool(toolLabel(this.tool.name, this.#file)),
      this.input,
    );
    return this.#compile;
  }

  get compiled(): CompiledExecution {
    this.#compiled ??= this.#compileExecution();
    return this.#compiled;
  }

  #compileExecution(): CompiledExecution {
    const place = [...this.#place, "execution"];
    return compileExecution(this.tool.execution, this.#templates.executors, this.compile, place);
  }
}

/**
 * The first layer with a setting decides; an empty list counts as not set, because some programs write it that way.
 * Nothing is rendered before a call needs it.
 */
export function pathRules(baseDir: string, layers: readonly PlacedPermissions[]): RulesFor {
  const enableAnyPaths = firstFlag(layers) ?? false;
  const [layer] = layers.filter(hasList);
  const list = layer?.permissions.directoryAllowList ?? [];
  const entries = list.map((entry, index) =>
    layer!.compile.text(entry, [...layer!.place, "directoryAllowList", index]),
  );
  const isFixed = entries.every((entry) => entry.isConstant);
  const fixed = isFixed ? { baseDir, enableAnyPaths, directoryAllowList: list } : undefined;
  return (scope) => fixed ?? { baseDir, enableAnyPaths, directoryAllowList: render(entries, scope) };
}

/**
 * The rules for a tool of a toolset file: what the entry file allows, narrowed by the toolset file or the tool. They
 * cannot extend their own permissions.
 */
export function narrowedRules(
  baseDir: string,
  layers: readonly PlacedPermissions[],
  allowed: RulesFor,
): RulesFor {
  const wantsAny = firstFlag(layers);
  const lists = layers.filter(hasList);
  if (wantsAny === true || (wantsAny === undefined && lists.length === 0)) return allowed;
  if (lists.length === 0) return (scope) => ({ ...allowed(scope), enableAnyPaths: false });
  const own = pathRules(
    baseDir,
    lists.map((layer) => ({ ...layer, permissions: { ...layer.permissions, enableAnyPaths: false } })),
  );
  return (scope) => {
    const within = allowed(scope);
    return within.enableAnyPaths ? own(scope) : { ...own(scope), within };
  };
}

/** Then the rules of its file apply. */
export function hasNoPermissions({ enableAnyPaths, directoryAllowList = [] }: Permissions): boolean {
  return enableAnyPaths === undefined && directoryAllowList.length === 0;
}

function firstFlag(layers: readonly PlacedPermissions[]): boolean | undefined {
  return layers.find(({ permissions }) => permissions.enableAnyPaths !== undefined)?.permissions
    .enableAnyPaths;
}

function hasList({ permissions }: PlacedPermissions): boolean {
  return (permissions.directoryAllowList ?? []).length > 0;
}

/** Without the caller's properties: a caller must not be able to extend a tool's permissions. */
function render(entries: readonly TemplateString[], { env, onEnv }: Scope): string[] {
  const scope: Scope = { props: {}, absent: new Set(), env, onEnv };
  return entries.map((entry) => entry.render(scope)).filter((entry) => entry !== OMITTED);
}

/** MCP servers add tools later. */
function kindsOf({ tools = [], resources = [] }: Pick<Document, "tools" | "resources">) {
  return new Set([
    ...(["text", "file", "mcp"] as const),
    ...[...tools, ...resources].map(({ execution }) => execution.type),
  ]);
}

function usesJinja({ templateEngine, tools = [] }: Pick<Document, "templateEngine" | "tools">): boolean {
  return (
    templateEngine === "jinja2" ||
    tools.some(({ execution }) => "templateEngine" in execution && execution.templateEngine === "jinja2")
  );
}
