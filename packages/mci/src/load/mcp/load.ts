import { closestMatch } from "../../closest-match.ts";
import { ToolError } from "../../errors.ts";
import type { McpTool } from "../../mcp/connection.ts";
import type { McpServer } from "../../schema/document.ts";
import type { Tool } from "../../schema/tool.ts";
import { Secrets } from "../../secrets.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { filterTools, filterWarnings } from "../toolsets/filter.ts";
import { cacheFile, readCache, serverNameProblem, writeCache } from "./cache.ts";
import { toTools } from "./map.ts";

type Servers = Readonly<Record<string, McpServer>>;

/** The part of a pool of sessions that loading needs. */
export interface ToolLister {
  listTools(server: string): Promise<readonly McpTool[]>;
  /** The env values in a server's settings. */
  secrets(server: string): readonly unknown[];
}

export interface McpLoadOptions {
  readonly lister: ToolLister;
  /** The library directory; lists are kept in its `mcp` directory. */
  readonly library: string;
  /** Version of the entry file, and of the lists that are kept. */
  readonly schemaVersion: string;
  /** How many days a server's list is kept. */
  readonly ttlDays: (name: string, server: McpServer) => number;
  /** The time of day. */
  readonly now: () => Date;
  /** Told when a server is asked, and how that went. */
  readonly onServer?: (server: string, state: "fetching" | "fetched" | "failed") => void;
}

export interface ServerTools {
  readonly server: string;
  readonly tools: readonly Tool[];
  /** Why the server's own list could not be had. Its tools are then those of an old list, or none. */
  readonly failure?: Diagnostic;
  /** What to do about that; a part of the failure's hint. */
  readonly advice?: string;
  /** What else is worth telling. */
  readonly warnings: readonly Diagnostic[];
}

/** The tools of every server, side by side: from the lists that were kept, else from the servers themselves. */
export async function loadMcpTools(servers: Servers, options: McpLoadOptions): Promise<ServerTools[]> {
  return Promise.all(Object.entries(servers).map(([name, server]) => loadServer(name, server, options)));
}

/** What is wrong with the names of servers. Nothing is connected to or written before this is clear. */
export function checkServerNames(servers: Servers): Diagnostic[] {
  return Object.keys(servers).flatMap((name): Diagnostic[] => {
    const message = serverNameProblem(name);
    return message === undefined
      ? []
      : [{ place: ["mcp_servers", name], atKey: true, message, severity: "error" }];
  });
}

/** Tools that call a server nobody knows. They load, and fail when they are called. */
export function unknownServers(
  tools: readonly { readonly tool: Tool; readonly place: JsonPath }[],
  servers: readonly string[],
): Diagnostic[] {
  return tools.flatMap(({ tool: { execution }, place }): Diagnostic[] => {
    if (execution.type !== "mcp" || servers.includes(execution.serverName)) return [];
    const meant = closestMatch(execution.serverName, servers);
    return [
      {
        place: [...place, "execution", "serverName"],
        message: `MCP server '${execution.serverName}' not registered in main schema`,
        ...(meant === undefined ? {} : { hint: `did you mean '${meant}'?` }),
        severity: "warning",
      },
    ];
  });
}

async function loadServer(name: string, server: McpServer, options: McpLoadOptions): Promise<ServerTools> {
  const file = cacheFile(options.library, name);
  const cached = await readCache(file, name, server, options.now());
  if (cached?.isFresh) {
    const warnings = doubts(cached.tools, name, server);
    return { server: name, tools: applyFilter(cached.tools, name, server), warnings };
  }
  options.onServer?.(name, "fetching");
  try {
    const tools = toTools(name, await options.lister.listTools(name));
    options.onServer?.(name, "fetched");
    const warnings = [
      ...(await saveToCache(file, name, server, tools, options)),
      ...doubts(tools, name, server),
    ];
    return { server: name, tools: applyFilter(tools, name, server), warnings };
  } catch (error) {
    options.onServer?.(name, "failed");
    const advice = adviceOf(error, server);
    return {
      server: name,
      tools: applyFilter(cached?.tools ?? [], name, server),
      failure: failure(name, error, advice, cached !== undefined, options.lister),
      advice,
      warnings: [],
    };
  }
}

/** Filters see what is in the list that is kept; what is kept does not depend on them. */
function applyFilter(tools: readonly Tool[], name: string, server: McpServer): Tool[] {
  const { prefix = "", config = {} } = server;
  return filterTools(tools, config).map((tool) => ({
    ...tool,
    name: prefix + tool.name,
    toolsetSource: name,
  }));
}

function doubts(tools: readonly Tool[], name: string, { config = {} }: McpServer): Diagnostic[] {
  const place = ["mcp_servers", name, "config", "filterValue"];
  return filterWarnings(tools, config, `MCP server '${name}'`, place);
}

async function saveToCache(
  file: string,
  name: string,
  server: McpServer,
  tools: readonly Tool[],
  { schemaVersion, ttlDays, now, lister }: McpLoadOptions,
): Promise<Diagnostic[]> {
  try {
    const secrets = secretsOf(name, lister);
    await writeCache(
      file,
      { name, server, schemaVersion, tools, ttlDays: ttlDays(name, server), secrets },
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
  try {
    for (const value of lister.secrets(name)) secrets.add(value);
  } catch {
    // The settings could not be filled in: that is the failure, and no value is in it.
  }
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
  const outcome = hasOldList ? "its tools are those of an older list" : "its tools are missing";
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
    ? "start its command by hand to see what it says; it must speak MCP on standard input and output"
    : "check its url, and that it is running there";
}
