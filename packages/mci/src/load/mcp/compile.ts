import { compileCount } from "../../count.ts";
import type { Problem } from "../../errors.ts";
import { DEFAULT_CACHE_DAYS } from "../../schema/defaults.ts";
import type { McpServer } from "../../schema/document.ts";
import { compileTool, pathRules } from "../compile-tools.ts";
import type { LoadedContent } from "../content/content.ts";
import type { LoadContext, SourcedTool } from "../context.ts";
import { type Diagnostic, locateDiagnostics } from "../diagnostics.ts";
import { settingsOfFile } from "../lock/settings.ts";
import { loadError } from "../problems.ts";
import { loadMcpTools, type ToolLister } from "./load.ts";

/** Reports malformed templates in server settings that are needed only after a server has responded. */
export function checkServerSettings({ document, compile }: Pick<LoadContext, "document" | "compile">): void {
  for (const [name, { config, envAllowList }] of Object.entries(document.mcp_servers ?? {})) {
    compileCount(config?.expDays, compile.readingOnly(envAllowList), expDaysPath(name), 1);
  }
}

/** The tools of the entry file's MCP servers. A server that fails is a warning, or with `strict` an error. */
export async function compileMcpTools(
  context: LoadContext,
  lister: ToolLister,
  library: string,
  refresh: boolean | string = context.options.refreshMcpTools ?? false,
): Promise<McpTools> {
  const { parsed, document, baseDir, options } = context;
  const fetched = await loadMcpTools(document.mcp_servers ?? {}, {
    lister,
    library,
    schemaVersion: document.schemaVersion,
    ttlDays: (name, server) => cacheTtlDays(context, name, server),
    now: () => new Date(),
    refresh,
    onServer: options.onMcpServer,
  });
  const failures = fetched.flatMap(({ failure }) => failure ?? []);
  if (options.strict && failures.length > 0) {
    const errors = fetched.flatMap(({ failure, advice }): Diagnostic[] =>
      failure === undefined ? [] : [{ ...failure, hint: advice, severity: "error" }],
    );
    throw loadError("mcp_server_failed", parsed.file, await locateDiagnostics(parsed, errors));
  }
  const paths = pathRules(baseDir, []);
  const settings = { file: settingsOfFile(document) };
  const tools = fetched.flatMap(({ server, tools }) => {
    const place = ["mcp_servers", server];
    return tools
      .filter(({ tool }) => !tool.disabled)
      .map(({ tool, input }) => ({
        loaded: compileTool(tool, place, context, { paths, input, settings }),
        named: { name: tool.name, source: `MCP server '${server}'`, place, parsed },
      }));
  });
  const warnings = [...failures, ...fetched.flatMap((set) => set.warnings)];
  const content = fetched.map((set) => set.content);
  return { tools, content, warnings: await locateDiagnostics(parsed, warnings) };
}

export interface McpTools {
  readonly tools: readonly SourcedTool[];
  /** Prompts and resources, of each server. */
  readonly content: readonly LoadedContent[];
  readonly warnings: readonly Problem[];
}

function cacheTtlDays({ compile, env }: LoadContext, name: string, server: McpServer): number {
  const allowed = compile.readingOnly(server.envAllowList);
  const days = compileCount(server.config?.expDays, allowed, expDaysPath(name), 1);
  return days({ props: {}, env, absent: new Set(), onEnv: () => {} }) ?? DEFAULT_CACHE_DAYS;
}

const expDaysPath = (name: string) => ["mcp_servers", name, "config", "expDays"];
