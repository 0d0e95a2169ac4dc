import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { ToolClient } from "../adapters/adapter.ts";
import { failedResult } from "../client/call.ts";
import type { CallOptions } from "../client/client-options.ts";
import type { ToolDefinition } from "../definitions/definitions.ts";
import { MCIClientError } from "../errors.ts";
import type { ExecutionResult } from "../result.ts";
import { inputReader } from "../tools/input.ts";
import type { ToolFilter } from "../tools/select.ts";

/** A tool about tools, which a model sees instead of many others. */
export interface MetaTool {
  readonly definition: ToolDefinition;
  run(input: Record<string, unknown>, options: CallOptions): Promise<ExecutionResult>;
}

/** Some tools of a client, by their names, and tools about the rest, as one client for adapters and servers. */
export function withMetaTools(
  client: ToolClient,
  metaTools: readonly MetaTool[],
  pin: readonly string[] = [],
  filter: ToolFilter = {},
): ToolClient {
  const byName = new Map(metaTools.map((tool) => [tool.definition.name, tool]));
  const pinned = pinnedDefinitions(client, pin, filter);
  for (const { name } of pinned)
    if (byName.has(name))
      throw new MCIClientError("invalid_argument", `The tool '${name}' cannot be pinned: its name is taken.`);
  const names = [...byName.keys(), ...pinned.map(({ name }) => name)];
  return {
    toolDefinitions: () => [...metaTools.map(({ definition }) => structuredClone(definition)), ...pinned],
    async call(name, input, options = {}) {
      const metaTool = byName.get(name);
      if (metaTool === undefined) {
        if (pinned.some((definition) => definition.name === name))
          return client.call(name, input, { ...options, filter });
        const similar = closestMatch(name, names);
        const hint = similar === undefined ? "" : `. Did you mean '${similar}'?`;
        return failedResult("tool_not_found", `Tool not found: ${name}${hint}`);
      }
      try {
        return await metaTool.run(await checkedInput(metaTool, input), options);
      } catch (error) {
        if (!(error instanceof MCIClientError) || error.code === "invalid_argument") throw error;
        return failedResult(error.code, error.message);
      }
    },
  };
}

function pinnedDefinitions(client: ToolClient, pin: readonly string[], filter: ToolFilter): ToolDefinition[] {
  if (pin.length === 0) return [];
  const all = client.toolDefinitions({ filter });
  return [...new Set(pin)].map((name) => {
    const found = all.find((definition) => definition.name === name);
    if (found !== undefined) return found;
    const similar = closestMatch(
      name,
      all.map((definition) => definition.name),
    );
    const hint = similar === undefined ? "" : ` Did you mean '${similar}'?`;
    throw new MCIClientError("invalid_argument", `There is no tool '${name}' to pin.${hint}`);
  });
}

const readers = new WeakMap<MetaTool, ReturnType<typeof inputReader>>();

async function checkedInput(tool: MetaTool, value: unknown): Promise<Record<string, unknown>> {
  const { name, inputSchema } = tool.definition;
  const reader = readers.get(tool) ?? inputReader({ name, inputSchema });
  readers.set(tool, reader);
  return (await reader)(value).props;
}
