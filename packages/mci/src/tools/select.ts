import type { Tool } from "../schema/tool.ts";

/** Which tools to take. Several conditions combine: a tool must pass all of them. */
export interface ToolFilter {
  /** Names to keep. Unknown names match nothing. */
  readonly only?: readonly string[];
  /** Names to leave out. */
  readonly without?: readonly string[];
  /** Keep tools that carry at least one of these tags. */
  readonly tags?: readonly string[];
  /** Leave out tools that carry any of these tags. */
  readonly withoutTags?: readonly string[];
  /** Keep tools that came from one of these toolsets or MCP servers. */
  readonly toolsets?: readonly string[];
}

/** The tools that pass the filter, in their own order. */
export function select<T extends Pick<Tool, "name" | "tags" | "toolsetSource">>(
  tools: readonly T[],
  filter: ToolFilter,
): T[] {
  const only = filter.only && new Set(filter.only);
  const without = new Set(filter.without);
  const tags = filter.tags && new Set(filter.tags);
  const withoutTags = new Set(filter.withoutTags);
  const toolsets = filter.toolsets && new Set(filter.toolsets);

  return tools.filter(
    (tool) =>
      (only?.has(tool.name) ?? true) &&
      !without.has(tool.name) &&
      (tags === undefined || (tool.tags ?? []).some((tag) => tags.has(tag))) &&
      !(tool.tags ?? []).some((tag) => withoutTags.has(tag)) &&
      (toolsets === undefined || (tool.toolsetSource !== undefined && toolsets.has(tool.toolsetSource))),
  );
}
