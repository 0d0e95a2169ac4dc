import type { Problem } from "../errors.ts";
import type { Tool } from "../schema/tool.ts";
import type { ToolFilter } from "../tools/select.ts";
import { didYouMean } from "./validate/messages.ts";

/**
 * Names, tags and toolsets of a filter that no tool has. A misspelled name in `only` hides a tool, and in `without` it shows
 * one that should be hidden.
 */
export function unmatchedFilter(
  tools: readonly Pick<Tool, "name" | "tags" | "toolsetSource">[],
  filter: ToolFilter,
): Problem[] {
  const names = tools.map(({ name }) => name);
  const tags = tools.flatMap(({ tags: own = [] }) => own);
  const toolsets = tools.flatMap(({ toolsetSource }) => toolsetSource ?? []);
  return [
    ...unknown(filter.only, names, "No tool has the name"),
    ...unknown(filter.without, names, "No tool has the name"),
    ...unknown(filter.tags, tags, "No tool has the tag"),
    ...unknown(filter.withoutTags, tags, "No tool has the tag"),
    ...unknown(filter.toolsets, toolsets, "No tool comes from the toolset or MCP server"),
  ];
}

function unknown(requested: readonly string[] = [], among: readonly string[], message: string): Problem[] {
  const candidates = new Set(among);
  return [...new Set(requested)]
    .filter((value) => !candidates.has(value))
    .map((value) => {
      const hint = didYouMean(value, [...candidates]);
      return {
        message: `${message} '${value}', which the filter names`,
        ...(hint !== undefined && { hint }),
        severity: "warning",
      };
    });
}
