import { realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ClientErrorCode, MCIClientError, type Problem } from "../errors.ts";
import { DEFAULT_LIMITS, type Limits } from "../execute/executor.ts";
import { memoryLoginStore } from "../login/login-store.ts";
import { readProxyRules } from "../proxy/settings.ts";
import type { Tool } from "../schema/tool.ts";
import { publicValuesOf, Secrets } from "../secrets.ts";
import type { JsonPath } from "../template-api.ts";
import { checkFilter, select } from "../tools/select.ts";
import {
  type CompileToolOptions,
  compileTool,
  hasNoPermissions,
  openTemplates,
  pathRules,
  templateErrors,
  toolLabel,
} from "./compile-tools.ts";
import { joinContent, NO_CONTENT } from "./content/content.ts";
import { filterContent } from "./content/filter-content.ts";
import { hiddenContent } from "./content/hidden-content.ts";
import { compileOwnContent } from "./content/own-content.ts";
import { findLibrary, type LoadContext, type SourcedTool } from "./context.ts";
import { locateDiagnostics } from "./diagnostics.ts";
import { unmatchedFilter } from "./filter-warnings.ts";
import type { LoadOptions } from "./load-options.ts";
import type { Loaded, LoadedTool } from "./loaded.ts";
import { applyLock } from "./lock/apply-lock.ts";
import { readLock } from "./lock/read-lock.ts";
import { settingsOfFile } from "./lock/settings.ts";
import type { McpServers } from "./mcp/servers.ts";
import { unknownServers } from "./mcp/unknown-servers.ts";
import { cachedParser, type Parsed, type ParseFile, parseFile, parseObject } from "./parse/parse.ts";
import { loadError } from "./problems.ts";
import { compileToolsets } from "./toolsets/compile.ts";
import { duplicateTools } from "./toolsets/duplicates.ts";
import { validateDocument } from "./validate/document.ts";

/** How files are read. */
export interface FileAccess {
  readonly parse: ParseFile;
  /** Whether a folder, or a file that was opened, may be read. */
  readonly mayRead: (path: string) => boolean;
}

const ANY_FILE: FileAccess = { parse: parseFile, mayRead: () => true };

export async function loadFile(
  path: string | URL,
  options: LoadOptions,
  access: FileAccess = accessOf(path, options),
): Promise<Loaded> {
  const parsed = await access.parse(path);
  return restrict(options, () => loadParsed(parsed, dirname(parsed.path), options, access, [parsed.path]));
}

function accessOf(path: string | URL, { source }: LoadOptions): FileAccess {
  return source === undefined ? ANY_FILE : { ...ANY_FILE, parse: cachedParser({ path, text: source }) };
}

export async function loadDocument(
  document: unknown,
  options: LoadOptions & { baseDir?: string },
): Promise<Loaded> {
  const parsed = parseObject(copyOf(document));
  return restrict(options, () => loadParsed(parsed, resolve(options.baseDir ?? "."), options, ANY_FILE));
}

/** Applies the lock, then the filter. A lock that cannot be read is an error before anything is started. */
async function restrict(options: LoadOptions, load: () => Promise<Loaded>): Promise<Loaded> {
  const lock = options.lock === undefined ? undefined : await readLock(options.lock);
  const restricted = (loaded: Loaded): Loaded => {
    const isLocked = lock !== undefined && !loaded.validating;
    const checked = isLocked ? applyLock(loaded, lock, options.fetchMcpTools !== false) : loaded;
    const warnings = [...checked.warnings, ...filterWarnings(loaded, options)];
    const tools = applyFilter(checked.tools, options);
    const { refresh } = loaded;
    return {
      ...checked,
      warnings,
      tools,
      ...(checked.content && { content: filterContent(checked.content, tools, options.filter) }),
      ...(refresh && { refresh: async (server) => restricted(await refresh(server)) }),
    };
  };
  return restricted(await load());
}

/** Only where every tool is known. */
function filterWarnings(loaded: Loaded, { filter, fetchMcpTools }: LoadOptions): Problem[] {
  const isComplete = !loaded.validating && (fetchMcpTools !== false || loaded.mcp === undefined);
  if (filter === undefined || !isComplete) return [];
  checkFilter(filter);
  return unmatchedFilter(
    loaded.tools.map(({ tool }) => tool),
    filter,
  );
}

/** A copy: the caller may change its object later. */
function copyOf(document: unknown): unknown {
  try {
    return structuredClone(document);
  } catch (cause) {
    const reason = cause instanceof RangeError ? "it is nested too deeply" : (cause as Error).message;
    throw new MCIClientError("invalid_argument", `The document must be plain data: ${reason}`, { cause });
  }
}

async function loadParsed(
  parsed: Parsed,
  baseDir: string,
  options: LoadOptions,
  { parse, mayRead }: FileAccess,
  entryFiles: readonly string[] = [],
): Promise<Loaded> {
  const files = new Set(entryFiles.map(realFile));
  const parseToolset: ParseFile = async (path, isReadable) => {
    const toolset = await parse(path, isReadable);
    files.add(realFile(toolset.path));
    return toolset;
  };
  const limits = limitsFrom(options.limits);
  const proxy = readProxyRules(options.proxy);
  const login = { ...options.auth, store: options.auth?.store ?? memoryLoginStore() };
  const env = { ...options.envVars, ...options.env };
  const { document, problems: documentWarnings } = await validateDocument(parsed, {
    unknownKeys: options.unknownKeys ?? "warn",
    collectTemplateErrors: (parts) => templateErrors(parts, limits),
  });
  const templates = await openTemplates(document, limits);
  const { diagnostics } = templates;
  // Whoever checks a file may not trust it: then it does not decide what is shown.
  const publicValues = publicValuesOf(env, options.validating ? [] : document.publicEnv);
  const secrets = new Secrets(publicValues);
  const context: LoadContext = {
    ...templates,
    parsed,
    document,
    baseDir,
    options,
    mayRead,
    limits,
    env,
    secrets,
  };
  const servers = document.mcp_servers ?? {};

  // Everything that can be checked without starting or connecting to anything comes first.
  const { tools: own, options: ownOptions } = compileFileTools(context);
  const ownContent = compileOwnContent(context, ownOptions);
  const library = findLibrary(context);
  const mcpServers = await openMcpServers(context);
  const code = diagnostics.some(({ severity }) => severity === "error") ? "schema_invalid" : undefined;
  const toolsets = await compileToolsets(context, library, parseToolset);
  const warnings = [
    ...(await locateDiagnostics(parsed, diagnostics)),
    ...documentWarnings,
    ...toolsets.problems,
  ].map((problem) => secrets.maskFields(problem));
  const fileTools = [...own, ...toolsets.tools];
  // Within the file itself the validation has compared them.
  const repeated = toolsets.tools.length === 0 ? [] : await duplicates(fileTools);
  throwIfErrors(context, code ?? toolsets.code, [...warnings, ...repeated]);

  const { metadata = {} } = document;
  const hasOwnContent = ownContent !== NO_CONTENT;
  const loaded = {
    metadata,
    ...(hasOwnContent && { content: ownContent }),
    ...(entryFiles.length > 0 && document.skills !== false && { skillsDir: join(baseDir, "skills") }),
    env,
    publicValues,
    validating: options.validating ?? false,
    limits,
    proxy,
    login,
    files,
    servers,
    onInput: options.onInput,
    traceContent: options.traceContent ?? false,
  };
  if (loaded.validating) return { ...loaded, tools: loadedOf(own), warnings };
  if (mcpServers === undefined || library === undefined)
    return { ...loaded, tools: loadedOf(fileTools), warnings };

  options.signal?.throwIfAborted();
  const mcp = mcpServers.open(loaded);
  const onAbort = () => void mcp.close();
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const load = async (refresh?: string): Promise<Loaded> => {
      const fetched = await mcpServers.fetch(mcp, library, refresh);
      options.signal?.throwIfAborted();
      const all = [...fileTools, ...fetched.tools];
      const hidden = await duplicates(all);
      if (options.strict) throwIfErrors(context, "schema_invalid", hidden);
      const content = [ownContent, ...fetched.content];
      return {
        ...loaded,
        tools: loadedOf(firstOfEachName(all)),
        content: joinContent(content),
        warnings: [...warnings, ...fetched.warnings, ...hidden.map(asHidden), ...hiddenContent(content)],
        mcp,
        refresh: load,
      };
    };
    return await load();
  } catch (error) {
    await mcp.close();
    throw error;
  } finally {
    options.signal?.removeEventListener("abort", onAbort);
  }
}

async function openMcpServers(context: LoadContext): Promise<McpServers | undefined> {
  if (Object.keys(context.document.mcp_servers ?? {}).length === 0) return undefined;
  const { McpServers } = await import("./mcp/servers.ts");
  return new McpServers(context);
}

function realFile(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

/** A limit that is not set has its default: `undefined` does not turn a limit off. */
function limitsFrom(overrides: LoadOptions["limits"] = {}): Limits {
  const set = Object.entries(overrides).filter(([, limit]) => limit !== undefined);
  for (const [name, limit] of set) {
    if (typeof limit === "number" && limit >= 0) continue;
    throw new MCIClientError("invalid_argument", `limits.${name} must be a number of at least 0.`);
  }
  return { ...DEFAULT_LIMITS, ...Object.fromEntries(set) };
}

function compileFileTools(context: LoadContext): {
  tools: SourcedTool[];
  /** What every tool of the file may reach. */
  options: CompileToolOptions;
} {
  const { parsed, document, baseDir, compile, diagnostics, options } = context;
  const enabled = (document.tools ?? []).flatMap((tool, index) =>
    tool.disabled ? [] : [{ tool, place: ["tools", index] }],
  );
  diagnostics.push(...unknownServers(enabled, Object.keys(document.mcp_servers ?? {})));
  const forAll = { permissions: document, place: [], compile };
  const common: CompileToolOptions = {
    parseTemplates: options.parseTemplates,
    file: parsed.file,
    paths: pathRules(baseDir, [forAll]),
    settings: { file: settingsOfFile(document) },
  };
  const withOwnPaths = (tool: Tool, place: JsonPath): CompileToolOptions => {
    const labelled = compile.forTool(toolLabel(tool.name, parsed.file));
    return {
      ...common,
      paths: pathRules(baseDir, [{ permissions: tool, place, compile: labelled }, forAll]),
    };
  };
  const tools = enabled.map(({ tool, place }) => {
    const forTool = hasNoPermissions(tool) ? common : withOwnPaths(tool, place);
    return {
      loaded: compileTool(tool, place, context, forTool),
      named: { name: tool.name, place: [...place, "name"], parsed },
    };
  });
  return { tools, options: common };
}

function duplicates(tools: readonly SourcedTool[]): Promise<Problem[]> {
  return duplicateTools(tools.map(({ named }) => named));
}

/** A server may add a tool at any time; that must not make a file fail that has a tool of that name. */
function firstOfEachName(tools: readonly SourcedTool[]): SourcedTool[] {
  const names = new Set<string>();
  return tools.filter(({ named }) => names.size < names.add(named.name).size);
}

function asHidden(duplicate: Problem): Problem {
  return { ...duplicate, message: `${duplicate.message}; the first one is used`, severity: "warning" };
}

function throwIfErrors({ parsed }: LoadContext, code: ClientErrorCode, problems: readonly Problem[]): void {
  if (problems.some(({ severity }) => severity === "error")) throw loadError(code, parsed.file, problems);
}

function loadedOf(sourced: readonly SourcedTool[]): LoadedTool[] {
  return sourced.map(({ loaded }) => loaded);
}

function applyFilter(tools: readonly LoadedTool[], { filter }: LoadOptions): readonly LoadedTool[] {
  if (filter === undefined) return tools;
  const kept = new Set(
    select(
      tools.map(({ tool }) => tool),
      filter,
    ),
  );
  return tools.filter(({ tool }) => kept.has(tool));
}
