import { isObject } from "@mci-ts/primitives/is-object";
import type { Problem } from "../errors.ts";
import { unmatchedFilter } from "../load/filter-warnings.ts";
import type { ParsedFile, ParseFile } from "../load/parse/parse.ts";
import { formatPath } from "../load/problems.ts";
import type { ToolsetReference } from "../schema/source.ts";
import { select, type ToolFilter } from "../tools/select.ts";
import type { Location, ToolLocation } from "./result.ts";

/** The tools of a parsed file, valid or not, as the file that includes them names them. */
export function toolLocations({ data, file = "" }: ParsedFile, reference?: ToolsetReference): ToolLocation[] {
  const tools: unknown[] = isObject(data) && Array.isArray(data.tools) ? data.tools : [];
  const { prefix = "", overrides = {} } = reference ?? {};
  return tools.flatMap((tool, index): ToolLocation[] => {
    if (!isObject(tool) || typeof tool.name !== "string") return [];
    const override = Object.hasOwn(overrides, tool.name) ? overrides[tool.name] : undefined;
    const tags = Array.isArray(tool.tags) ? tool.tags.filter((tag) => typeof tag === "string") : [];
    return [
      {
        name: override?.name ?? prefix + tool.name,
        tags,
        ...(reference === undefined ? {} : { toolsetSource: reference.name }),
        file,
        path: formatPath(["tools", index]),
      },
    ];
  });
}

/** The tools that a filter selects, and what is judged with them: what belongs to no other tool. */
export function chooseTools(
  all: readonly ToolLocation[],
  filter: ToolFilter | undefined,
): {
  readonly tools: readonly ToolLocation[];
  isJudged(location: Location): boolean;
  readonly warnings: readonly Problem[];
} {
  if (filter === undefined) return { tools: all, isJudged: () => true, warnings: [] };
  const tools = select(all, filter);
  const others = leftOver(all.map(toolKey), tools.map(toolKey));
  return {
    tools,
    isJudged: (location) => !others.has(toolKey(location)),
    warnings: unmatchedFilter(all, filter),
  };
}

function leftOver(all: readonly string[], chosen: readonly string[]): ReadonlySet<string> {
  const names = new Set(chosen);
  return new Set(all.filter((key) => !names.has(key)));
}

/** Equal for all that belongs to one tool. */
export function toolKey({ file, path = "" }: Location): string {
  return JSON.stringify([file, /^tools\[\d+\]/.exec(path)?.[0]]);
}

/** Parses files with an empty tool in place of each of these, so that their errors are not met. */
export function withoutTools(parse: ParseFile, keys: ReadonlySet<string>): ParseFile {
  if (keys.size === 0) return parse;
  return async (path, isReadable) => {
    const parsed = await parse(path, isReadable);
    if (!isObject(parsed.data) || !Array.isArray(parsed.data.tools)) return parsed;
    const tools = parsed.data.tools.map((tool: unknown, index) => {
      const name = isObject(tool) ? tool.name : undefined;
      const isLeftOut = keys.has(toolKey({ file: parsed.file, path: formatPath(["tools", index]) }));
      return isLeftOut ? { name, execution: { type: "text", text: "" } } : tool;
    });
    return { ...parsed, data: { ...parsed.data, tools } };
  };
}
