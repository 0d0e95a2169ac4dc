import { McpPool } from "../../mcp/pool.ts";
import { compileServer } from "../../mcp/server-plan.ts";
import type { LoadContext } from "../context.ts";
import type { Loaded } from "../loaded.ts";
import { checkServerSettings, compileMcpTools, type McpTools } from "./compile.ts";
import { checkServerNames } from "./load.ts";

/** The MCP servers of an entry file, loaded only for files that have some. Problems in their settings are in the diagnostics. */
export class McpServers {
  readonly #context: LoadContext;
  readonly #plans: ConstructorParameters<typeof McpPool>[0];

  constructor(context: LoadContext) {
    const { document, compile, diagnostics } = context;
    const servers = document.mcp_servers ?? {};
    this.#context = context;
    this.#plans = new Map(
      Object.entries(servers).map(([name, server]) => [
        name,
        compileServer(server, compile, ["mcp_servers", name]),
      ]),
    );
    diagnostics.push(...checkServerNames(servers));
    checkServerSettings(context);
  }

  /** Nothing is started or connected to yet. */
  open({ env, publicValues, limits, proxy, login }: Omit<Loaded, "tools" | "warnings">): McpPool {
    const { options, baseDir } = this.#context;
    return new McpPool(this.#plans, {
      ...options.mcp,
      env,
      publicValues,
      cwd: baseDir,
      maxMessageBytes: limits.maxResponseBytes,
      proxy,
      login,
      onInput: options.onInput,
      onMessage: options.onMcpMessage,
    });
  }

  /** Their tools, from the cache or from the servers. */
  async fetch(pool: McpPool, library: string, refresh: string | undefined): Promise<McpTools> {
    if (this.#context.options.fetchMcpTools === false) return { tools: [], content: [], warnings: [] };
    return compileMcpTools(this.#context, pool, library, refresh);
  }
}
