import type { Tools } from "@mci-ts/council";
import { ConfigError, type SeatToolsConfig } from "../config/config.ts";

/** What seats and voters may call: tools of the file that MCI_TOOLS names. */
export interface SeatTools {
  readonly tools: Tools;
  readonly warnings: readonly string[];
  close(): Promise<void>;
}

/** Throws `ConfigError` if the file cannot be loaded: answers without the tools that the operator set would look the same. */
export async function openSeatTools({
  file,
  env,
  allow,
  filter: wanted,
}: SeatToolsConfig): Promise<SeatTools> {
  const { MCIClient } = await import("mci-ts");
  let client: Awaited<ReturnType<typeof MCIClient.load>>;
  try {
    client = await MCIClient.load(file, { env });
  } catch (error) {
    throw new ConfigError([`MCI_TOOLS could not be loaded: ${(error as Error).message}`]);
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
