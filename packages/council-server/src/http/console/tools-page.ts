import { join } from "node:path";
import type { ToolsSource } from "@mci-ts/console/tools";
import type { ToolsConfig } from "../../config/config.ts";
import { WatchedTools } from "./watched-tools.ts";

/** A request to the tools API. Written out, because the published types name no private package. */
export interface ConsoleRequest {
  readonly method: string;
  /** Below `/api/`, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: unknown;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The tools of the file that MCI_TOOLS names, for the console. The library is loaded with the first request. */
export class ConsoleTools {
  readonly #config: ToolsConfig;
  readonly #dir: string | undefined;
  #opened: ReturnType<typeof open> | undefined;

  /** `dir`: where calls are stored. Default: they are in memory. */
  constructor(config: ToolsConfig, dir: string | undefined) {
    this.#config = config;
    this.#dir = dir;
  }

  async handle(request: ConsoleRequest): Promise<Response> {
    this.#opened ??= open(this.#config, this.#dir);
    const { handleToolsRequest, source, tools } = await this.#opened;
    await tools.refresh();
    return handleToolsRequest(source, request);
  }

  async close(): Promise<void> {
    const opened = await this.#opened;
    await opened?.tools.close();
    await opened?.source.calls.close();
  }
}

/** A file that cannot be loaded has no tools; the page shows why. */
async function open(config: ToolsConfig, dir: string | undefined) {
  const { file, env } = config;
  const [{ lintFile }, { CallLog, handleToolsRequest, MessageLog, openCalls, toolsUsing }] =
    await Promise.all([import("mci-ts"), import("@mci-ts/console/tools")]);
  const messages = new MessageLog();
  const tools = await WatchedTools.open(config, (message) => messages.add(message));
  const source: ToolsSource = {
    file,
    writable: false,
    calls:
      dir === undefined
        ? new CallLog()
        : await openCalls({
            file,
            path: join(dir, "tool-calls.db"),
            env: async () => env,
            version: () => tools.client,
          }),
    messages,
    client: () => tools.client,
    loadError: () => tools.loadError,
    use: (work) => tools.use(work),
    call: (tool, input, options) => tools.use((client) => client.call(tool, input, options)),
    restartServer: (name, signal) => tools.restartServer(name, signal),
    lint: (text) => lintFile(file, { env, ...(text === undefined ? {} : { source: text }) }),
    async save() {
      throw new Error("The service does not change the file.");
    },
    reload: () => tools.reload(),
    async variables() {
      const { envs, tools: located } = await lintFile(file, { env });
      const byName = Map.groupBy(envs, ({ name }) => name);
      return [...byName]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, uses]) => ({
          name,
          state:
            env[name] === undefined
              ? uses.every(({ hasFallback }) => hasFallback)
                ? ("optional" as const)
                : ("missing" as const)
              : env[name] === ""
                ? ("empty" as const)
                : ("set" as const),
          used_by: [...new Set(uses.map(({ usedBy }) => usedBy))].sort(),
          tools: toolsUsing(uses, located),
        }));
    },
    watch: (listener, signal) => tools.watch(listener, signal),
  };
  return { handleToolsRequest, source, tools };
}
