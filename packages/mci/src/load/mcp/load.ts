import { ToolError } from "../../errors.ts";
import type { ListedSkill, McpListed, McpListKind, McpTool } from "../../mcp/protocol.ts";
import type { McpServer } from "../../schema/document.ts";
import type { Tool } from "../../schema/tool.ts";
import { Secrets } from "../../secrets.ts";
import type { LoadedContent, ServerContent } from "../content/content.ts";
import { cleanInstructions } from "../content/instructions.ts";
import { applyServerContent, openContent, wantsContent } from "../content/server-content.ts";
import { cleanSkills } from "../content/server-skills.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { type OverriddenTool, overrideTool, overrideWarnings } from "../overrides.ts";
import { filterTools, filterWarnings } from "../toolsets/filter.ts";
import { cacheFile, readCache, serverNameProblem, writeCache } from "./cache.ts";
import { toTools } from "./map.ts";
import { maskListed } from "./mask-tools.ts";

type Servers = Readonly<Record<string, McpServer>>;

/** The part of a session pool that loading needs. */
export interface ToolLister {
  listTools(server: string): Promise<readonly McpTool[]>;
  /** Prompts, resources and skills; without it, there are none. */
  list?<Kind extends McpListKind>(
    server: string,
    kind: Kind,
  ): Promise<readonly McpListed[Kind][] | undefined>;
  /** What the server says to the model; empty if nothing. */
  instructions?(server: string): Promise<string>;
  /** The env values in a server's settings. */
  secrets(server: string): readonly unknown[];
  /** What servers are told that this program can do, sorted. */
  readonly capabilities?: readonly string[];
}

export interface McpLoadOptions {
  readonly lister: ToolLister;
  /** The library directory; tool lists are cached in its `mcp` directory. */
  readonly library: string;
  /** Version of the entry file, and of the cached lists. */
  readonly schemaVersion: string;
  /** Days until a server's cached list expires. */
  readonly ttlDays: (name: string, server: McpServer) => number;
  /** Fetch every list, or that of one server, also where a cached one has not expired. Default false. */
  readonly refresh?: boolean | string;
  /** The time of day. */
  readonly now: () => Date;
  /** Called when a server's tools are fetched, and with the outcome. */
  readonly onServer?: (server: string, state: "fetching" | "fetched" | "failed") => void;
}

export interface ServerTools {
  readonly server: string;
  readonly tools: readonly OverriddenTool[];
  readonly content: LoadedContent;
  /** Why the server's list could not be fetched. Its tools are then those of an older list, or none. */
  readonly failure?: Diagnostic;
  /** What to do about it; a part of the failure's hint. */
  readonly advice?: string;
  /** Other warnings. */
  readonly warnings: readonly Diagnostic[];
}

/** The tools of every server, concurrently: from the cache, else from the servers themselves. */
export async function loadMcpTools(servers: Servers, options: McpLoadOptions): Promise<ServerTools[]> {
  return Promise.all(Object.entries(servers).map(([name, server]) => loadServer(name, server, options)));
}

/** Server names that cannot be used. Checked before anything is connected to or written. */
export function checkServerNames(servers: Servers): Diagnostic[] {
  return Object.keys(servers).flatMap((name): Diagnostic[] => {
    const message = serverNameProblem(name);
    return message === undefined
      ? []
      : [{ place: ["mcp_servers", name], atKey: true, message, severity: "error" }];
  });
}

async function loadServer(name: string, server: McpServer, options: McpLoadOptions): Promise<ServerTools> {
  const file = cacheFile(options.library, name);
  const { capabilities = [] } = options.lister;
  const cached = await readCache(file, name, server, capabilities, options.now());
  const isComplete = hasAll(server, cached?.content);
  if (cached?.isFresh && isComplete && !isRefreshed(name, options))
    return loadedServer(name, server, cached, options);
  options.onServer?.(name, "fetching");
  try {
    const tools = toTools(name, await options.lister.listTools(name));
    const { content, failure: contentFailure } = await fetchContent(name, server, options);
    const fetched = { tools: withoutSecrets(tools, name, options.lister).tools, ...(content && { content }) };
    options.onServer?.(name, "fetched");
    const saved = await saveToCache(file, name, server, { ...fetched, capabilities }, options);
    const loaded = loadedServer(name, server, { tools, ...(content && { content }) }, options);
    return { ...loaded, warnings: [...loaded.warnings, ...saved, ...contentFailure] };
  } catch (error) {
    options.onServer?.(name, "failed");
    const advice = adviceOf(error, server);
    const { warnings, ...loaded } = loadedServer(name, server, cached ?? { tools: [] }, options, false);
    return {
      ...loaded,
      failure: failure(name, error, advice, cached !== undefined, options.lister),
      advice,
      warnings,
    };
  }
}

/** Lists that were cached before instructions were, or without them, do not say whether there are any. */
function hasAll(server: McpServer, content: ServerContent | undefined): boolean {
  if (!wantsContent(server)) return true;
  return content !== undefined && (server.instructions === false || content.instructions !== undefined);
}

interface Fetched {
  readonly tools: readonly Tool[];
  readonly content?: ServerContent;
}

/** What the file includes of a server's lists. Also of a cached one, without secrets: another program may have written it. */
function loadedServer(
  name: string,
  server: McpServer,
  fetched: Fetched,
  { lister }: McpLoadOptions,
  isCurrent = true,
): ServerTools {
  const { tools, warnings } = withoutSecrets(fetched.tools, name, lister);
  const { content, notes } =
    fetched.content === undefined
      ? { content: openContent(name, server), notes: [] }
      : applyServerContent(name, server, fetched.content, secretsOf(name, lister));
  return {
    server: name,
    tools: applyFilter(tools, name, server),
    content,
    warnings: [
      ...warnings,
      ...notes.map((note) => warning(name, `Of MCP server '${name}', ${note}`)),
      ...(isCurrent ? unknownItems(tools, name, server) : []),
    ],
  };
}

function isRefreshed(name: string, { refresh = false }: McpLoadOptions): boolean {
  return typeof refresh === "boolean" ? refresh : refresh === name;
}

/** Prompts and resources. Tools do not depend on them: without them, a warning. */
async function fetchContent(
  name: string,
  server: McpServer,
  { lister }: McpLoadOptions,
): Promise<{ content?: ServerContent; failure: Diagnostic[] }> {
  const { list } = lister;
  if (list === undefined || !wantsContent(server)) return { failure: [] };
  const fetch = <Kind extends McpListKind>(kind: Kind, isWanted: boolean) =>
    isWanted ? list.call(lister, name, kind) : undefined;
  try {
    const hasResources = server.resources !== false;
    const [resources, resourceTemplates, prompts, skills, instructions] = await Promise.all([
      fetch("resources", hasResources),
      fetch("resourceTemplates", hasResources),
      fetch("prompts", server.prompts !== false),
      fetch("skills", server.skills !== false),
      server.instructions === false ? undefined : lister.instructions?.(name),
    ]);
    const secrets = secretsOf(name, lister);
    const clean = (listed: unknown) => maskListed(listed as readonly { name: string }[], secrets).tools;
    const offered = Object.entries({ resources, resourceTemplates, prompts }).filter(
      ([, list]) => list !== undefined,
    );
    return {
      content: {
        ...(Object.fromEntries(offered.map(([kind, list]) => [kind, clean(list)])) as ServerContent),
        ...(skills && { skills: cleanSkills(skills as readonly ListedSkill[], secrets) }),
        ...(instructions !== undefined && { instructions: cleanInstructions(instructions, secrets) ?? "" }),
      },
      failure: [],
    };
  } catch (error) {
    const cause = secretsOf(name, lister).mask(error instanceof Error ? error.message : String(error));
    const message = `The prompts, resources, skills and instructions of MCP server '${name}' are missing: ${cause}`;
    const hint = "to do without them, set resources: false, prompts: false and skills: false on the server";
    return { failure: [{ ...warning(name, message), hint }] };
  }
}

function warning(name: string, message: string): Diagnostic {
  return { place: ["mcp_servers", name], atKey: true, message, severity: "warning" };
}

/** Nothing that the server was sent is shown or stored, wherever the server repeats it. */
function withoutSecrets(
  all: readonly Tool[],
  name: string,
  lister: ToolLister,
): { tools: readonly Tool[]; warnings: readonly Diagnostic[] } {
  const { tools, leftOut } = maskListed(all, secretsOf(name, lister));
  const warnings = leftOut.map((tool): Diagnostic => {
    const message = `Tool '${tool}' of MCP server '${name}' is left out: its name or its schema contains a value of env that was sent to the server`;
    const hint = "if the value is not a secret, name its variable in publicEnv";
    return { place: ["mcp_servers", name], atKey: true, message, hint, severity: "warning" };
  });
  return { tools, warnings };
}

/** Applied after the cache: the cached list does not depend on filters. */
function applyFilter(tools: readonly Tool[], name: string, server: McpServer): OverriddenTool[] {
  const { prefix = "", config = {}, overrides = {} } = server;
  return filterTools(tools, config).map((tool) => {
    const override = Object.hasOwn(overrides, tool.name) ? overrides[tool.name] : undefined;
    return overrideTool({ ...tool, toolsetSource: name }, prefix + tool.name, override);
  });
}

function unknownItems(tools: readonly Tool[], name: string, server: McpServer): Diagnostic[] {
  const { config = {}, overrides } = server;
  const place = ["mcp_servers", name];
  const source = `MCP server '${name}'`;
  return [
    ...filterWarnings(tools, config, source, [...place, "config", "filterValue"]),
    ...overrideWarnings(tools, overrides, source, place),
  ];
}

async function saveToCache(
  file: string,
  name: string,
  server: McpServer,
  fetched: Fetched & { readonly capabilities: readonly string[] },
  { schemaVersion, ttlDays, now }: McpLoadOptions,
): Promise<Diagnostic[]> {
  try {
    await writeCache(
      file,
      { name, server, schemaVersion, ...fetched, ttlDays: ttlDays(name, server) },
      now(),
    );
    return [];
  } catch (error) {
    const message = `The tool list of MCP server '${name}' could not be cached: ${(error as Error).message}`;
    const cure = error instanceof ToolError ? "" : "; make the directory writable";
    const hint = `it is fetched from the server on every load${cure}`;
    return [{ place: ["mcp_servers", name], atKey: true, message, hint, severity: "warning" }];
  }
}

function secretsOf(name: string, lister: ToolLister): Secrets {
  const secrets = new Secrets();
  for (const value of lister.secrets(name)) secrets.add(value, "credential");
  return secrets;
}

function failure(
  name: string,
  error: unknown,
  advice: string | undefined,
  hasOldList: boolean,
  lister: ToolLister,
): Diagnostic {
  const secrets = secretsOf(name, lister);
  const outcome = hasOldList ? "its tools are those of an older cached list" : "its tools are missing";
  const cause = error instanceof Error ? error.message : String(error);
  return {
    place: ["mcp_servers", name],
    atKey: true,
    severity: "warning",
    message: secrets.mask(`Failed to fetch tools from MCP server '${name}': ${cause}`),
    hint: advice === undefined ? outcome : `${outcome}; ${advice}`,
  };
}

function adviceOf(error: unknown, server: McpServer): string | undefined {
  if (!(error instanceof ToolError)) return undefined;
  if (error.hint !== undefined) return error.hint;
  if (error.code === "template_missing") return "give the variable a value, or write a fallback";
  if (error.code !== "mcp_unavailable") return undefined;
  return "command" in server
    ? "run its command in a terminal to see its output; it must speak MCP on standard input and output"
    : "check its url, and that the server is running there";
}
