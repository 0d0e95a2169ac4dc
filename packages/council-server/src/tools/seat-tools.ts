import type { Tools } from "@mci-ts/council";
import type { SeatToolsConfig } from "../config/config.ts";

/** What seats and voters may call, or why that is nothing. */
export interface SeatTools {
  readonly tools?: Tools;
  readonly warnings: readonly string[];
}

/** The tools of the file that MCI_TOOLS names. The library and the file are loaded with the first run. */
export class SeatToolbox {
  readonly #config: SeatToolsConfig;
  #opened: ReturnType<typeof open> | undefined;

  constructor(config: SeatToolsConfig) {
    this.#config = config;
  }

  async tools(): Promise<SeatTools> {
    this.#opened ??= open(this.#config);
    return this.#opened;
  }

  async close(): Promise<void> {
    await (await this.#opened)?.close();
  }
}

async function open({
  file,
  env,
  allow,
  filter: wanted,
}: SeatToolsConfig): Promise<SeatTools & { close(): Promise<void> }> {
  const { MCIClient } = await import("mci-ts");
  let client: Awaited<ReturnType<typeof MCIClient.load>>;
  try {
    client = await MCIClient.load(file, { env });
  } catch (error) {
    const warning = `MCI_TOOLS could not be loaded, so no tools are offered: ${(error as Error).message}`;
    return { warnings: [warning], close: async () => {} };
  }
  // k voters ask for one thing k times, and models ask for what they should not: only what changes nothing is offered.
  const wantedNames = client.listTools(wanted);
  const names = client
    .tools()
    .filter(({ name, annotations }) => annotations?.readOnlyHint === true || allow.includes(name))
    .map(({ name }) => name)
    .filter((name) => wantedNames.includes(name));
  const filter = { only: names };
  const named = [...allow, ...(wanted.only ?? []), ...(wanted.without ?? [])];
  const unknown = named.filter((name) => !client.tools().some((tool) => tool.name === name));
  return {
    tools: {
      definitions: client.toolDefinitions({ filter }).map(({ name, description, inputSchema }) => ({
        name,
        description: description ?? "",
        inputSchema,
      })),
      async call(name, input, signal) {
        const { content, isError } = await client.call(name as never, input as never, { signal, filter });
        const text = content
          .map((part) => (part.type === "text" ? part.text : `[${part.type} left out]`))
          .join("\n");
        return { text, isError };
      },
    },
    warnings: unknown.map(
      (name) => `MCI_TOOLS_ALLOW or MCI_TOOLS_FILTER names "${name}", which is not in the file.`,
    ),
    close: () => client.close(),
  };
}
