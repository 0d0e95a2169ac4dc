import type { Tool } from "../schema/tool.ts";

/** Which tools of a toolset or an MCP server to take, as the file says it. */
export interface SourceFilter {
  readonly filter?: "only" | "except" | "tags" | "withoutTags";
  /** Names or tags, separated by commas. */
  readonly filterValue?: string;
}

/** The tools that pass, in their own order. Names are those of the source itself, without a prefix. */
export function filterTools(
  tools: readonly Tool[],
  { filter, filterValue = "" }: SourceFilter,
): readonly Tool[] {
  if (filter === undefined) return tools;
  const listed = new Set(
    filterValue
      .split(",")
      .map((item) => item.trim())
      .filter((item) => item !== ""),
  );
  const isTagged = (tool: Tool) => (tool.tags ?? []).some((tag) => listed.has(tag));
  const passes: Record<typeof filter, (tool: Tool) => boolean> = {
    only: (tool) => listed.has(tool.name),
    except: (tool) => !listed.has(tool.name),
    tags: isTagged,
    withoutTags: (tool) => !isTagged(tool),
  };
  return tools.filter(passes[filter]);
}
