import { closestMatch } from "@mci-ts/primitives/closest-match";
import { MCIClientError } from "../errors.ts";
import type { Tool } from "../schema/tool.ts";

/** Which tools to include. A tool must pass all conditions. */
export interface ToolFilter {
  /** Names to keep. Unknown names match nothing; `load` warns of them. */
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

const CONDITIONS = [
  "only",
  "without",
  "tags",
  "withoutTags",
  "toolsets",
] as const satisfies (keyof ToolFilter)[];

/**
 * Rejects unknown conditions: ignoring them would include tools that the filter is meant to exclude.
 */
export function checkFilter(filter: ToolFilter): void {
  if (typeof filter !== "object" || filter === null)
    throw new MCIClientError("invalid_argument", 'A filter must be an object such as { tags: ["read"] }.');
  for (const [name, value] of Object.entries(filter)) {
    if (!(CONDITIONS as readonly string[]).includes(name)) {
      // Files and the command say except where the methods say without.
      const suggestion = name === "except" ? "without" : closestMatch(name, CONDITIONS);
      const hint =
        suggestion === undefined ? `There are ${CONDITIONS.join(", ")}.` : `Did you mean '${suggestion}'?`;
      throw new MCIClientError("invalid_argument", `A filter has no condition '${name}'. ${hint}`);
    }
    const isList = Array.isArray(value) && value.every((item) => typeof item === "string");
    if (value !== undefined && !isList) {
      throw new MCIClientError(
        "invalid_argument",
        `The condition '${name}' of a filter must be a list of strings.`,
      );
    }
  }
}

/** The tools that pass the filter, in their own order. */
export function select<T extends Pick<Tool, "name" | "tags" | "toolsetSource">>(
  tools: readonly T[],
  filter: ToolFilter,
): T[] {
  checkFilter(filter);
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
