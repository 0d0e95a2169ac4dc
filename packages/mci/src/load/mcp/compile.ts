import { type Problem, ToolError } from "../../errors.ts";
import type { McpServer } from "../../schema/document.ts";
import { compileTool, pathRules } from "../compile-tools.ts";
import { type Entry, renderSetting, type SourcedTool } from "../context.ts";
import { type Finding, locateFindings } from "../diagnostics.ts";
import { loadError } from "../problems.ts";
import { loadMcpTools, type ToolLister } from "./load.ts";

const DEFAULT_DAYS = 30;

/** Finds what is malformed in settings of servers that are needed only once a server has answered. */
export function checkServerSettings({ document, compile }: Pick<Entry, "document" | "compile">): void {
  for (const [name, { config }] of Object.entries(document.mcp_servers ?? {})) {
    if (typeof config?.expDays === "string") compile.text(config.expDays, expDaysPlace(name));
  }
}

/** The tools of the entry file's MCP servers. A server that fails is a warning, or with `strict` an error. */
export async function takeServers(
  entry: Entry,
  lister: ToolLister,
  library: string,
): Promise<{ tools: readonly SourcedTool[]; warnings: readonly Problem[] }> {
  const { parsed, document, baseDir, options } = entry;
  const fetched = await loadMcpTools(document.mcp_servers ?? {}, {
    lister,
    library,
    schemaVersion: document.schemaVersion,
    days: (name, server) => keptDays(entry, name, server),
    now: () => new Date(),
    onServer: options.onMcpServer,
  });
  const failures = fetched.flatMap(({ failure }) => failure ?? []);
  if (options.strict && failures.length > 0) {
    const errors = fetched.flatMap(({ failure, advice }): Finding[] =>
      failure === undefined ? [] : [{ ...failure, hint: advice, severity: "error" }],
    );
    throw loadError("mcp_server_failed", parsed.file, await locateFindings(parsed, errors));
  }
  const rules = pathRules(baseDir, []);
  const tools = fetched.flatMap(({ server, tools }) => {
    const place = ["mcp_servers", server];
    return tools
      .filter(({ disabled }) => !disabled)
      .map((tool) => ({
        loaded: compileTool(tool, place, entry, rules),
        named: { name: tool.name, source: `MCP server '${server}'`, place, parsed },
      }));
  });
  const warnings = [...failures, ...fetched.flatMap((set) => set.warnings)];
  return { tools, warnings: await locateFindings(parsed, warnings) };
}

function keptDays(entry: Entry, name: string, { config }: McpServer): number {
  const { expDays = DEFAULT_DAYS } = config ?? {};
  if (typeof expDays === "number") return expDays;
  const rendered = renderSetting(entry, expDays, expDaysPlace(name));
  if (/^\s*0*[1-9]\d*\s*$/.test(rendered)) return Number(rendered);
  throw new ToolError("invalid_config", "expDays must be a whole number of at least 1");
}

const expDaysPlace = (name: string) => ["mcp_servers", name, "config", "expDays"];
