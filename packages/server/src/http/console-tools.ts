import type { ToolsSource } from "@mci-ts/console/tools";
import type { ToolsConfig } from "../config/config.ts";

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
  #opened: ReturnType<typeof open> | undefined;

  constructor(config: ToolsConfig) {
    this.#config = config;
  }

  async handle(request: ConsoleRequest): Promise<Response> {
    this.#opened ??= open(this.#config);
    const { handleToolsRequest, source } = await this.#opened;
    return handleToolsRequest(source, request);
  }

  async close(): Promise<void> {
    await (await this.#opened)?.source.client().close();
  }
}

/** A file that cannot be loaded has no tools; the page shows why. */
async function open({ file, env }: ToolsConfig) {
  const [{ MCIClient, lintFile }, { CallLog, handleToolsRequest }] = await Promise.all([
    import("mci-ts"),
    import("@mci-ts/console/tools"),
  ]);
  let loadError: string | undefined;
  const client = await MCIClient.load(file, { env }).catch((error: Error) => {
    loadError = error.message;
    return MCIClient.fromObject({ schemaVersion: "1.0", tools: [] });
  });
  const readOnly = async () => {
    throw new Error("The service does not change the file.");
  };
  const source: ToolsSource = {
    file,
    writable: false,
    calls: new CallLog(),
    client: () => client,
    loadError: () => loadError,
    call: (tool, input, { signal }) => client.call(tool, input, { signal }),
    lint: (text) => lintFile(file, { env, ...(text === undefined ? {} : { source: text }) }),
    save: readOnly,
    reload: readOnly,
    async variables() {
      const { envs } = await lintFile(file, { env });
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
        }));
    },
    async servers() {
      const counts = new Map<string, number>();
      for (const { execution } of client.tools())
        if (execution.type === "mcp")
          counts.set(execution.serverName, (counts.get(execution.serverName) ?? 0) + 1);
      return [...counts].map(([name, tools]) => ({ name, state: "fetched", tools }));
    },
    // The file is read once.
    watch: () => {},
  };
  return { handleToolsRequest, source };
}
