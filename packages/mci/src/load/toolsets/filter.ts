import type { Tool } from "../../schema/tool.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";
import { didYouMean } from "../validate/messages.ts";

/** Which tools of a toolset or an MCP server to include. */
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
  const listed = new Set(items(filterValue));
  const isTagged = (tool: Tool) => (tool.tags ?? []).some((tag) => listed.has(tag));
  const passes: Record<typeof filter, (tool: Tool) => boolean> = {
    only: (tool) => listed.has(tool.name),
    except: (tool) => !listed.has(tool.name),
    tags: isTagged,
    withoutTags: (tool) => !isTagged(tool),
  };
  return tools.filter(passes[filter]);
}

/**
 * Names and tags of a filter that no tool of the source has. Missing tools of "only" are always reported; for the other
 * filters only likely typos are.
 */
export function filterWarnings(
  tools: readonly Tool[],
  { filter, filterValue = "" }: SourceFilter,
  source: string,
  place: JsonPath,
): Diagnostic[] {
  if (filter === undefined) return [];
  const isByName = filter === "only" || filter === "except";
  const candidates = isByName ? tools.map(({ name }) => name) : tools.flatMap(({ tags = [] }) => tags);
  const unknown = items(filterValue).filter((item) => !candidates.includes(item));
  return unknown.flatMap((item): Diagnostic[] => {
    const hint = didYouMean(item, candidates);
    if (hint === undefined && filter !== "only") return [];
    const message = isByName
      ? `${source} has no tool '${item}'`
      : `No tool of ${source} has the tag '${item}'`;
    return [{ place, severity: "warning", message, ...(hint !== undefined && { hint }) }];
  });
}

function items(list: string): string[] {
  return list
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");
}
