import type { ToolFilter } from "mci-ts";
import { type CliError, usageError } from "../cli-error.ts";
import { oneLine } from "../print/escape-controls.ts";

/** What a filter on the command line may be called, and what the library calls it. */
const TYPES = {
  only: "only",
  except: "without",
  tags: "tags",
  withoutTags: "withoutTags",
  "without-tags": "withoutTags",
  toolsets: "toolsets",
} as const satisfies Record<string, keyof ToolFilter>;

export type FilterType = keyof typeof TYPES;

/**
 * Reads `--filter type:value,value`. Several combine: values of one type add up as if written in one list, and a tool
 * must pass every type.
 */
export function readFilters(options: readonly string[]): ToolFilter {
  const filter: Partial<Record<keyof ToolFilter, string[]>> = {};
  for (const text of options) {
    const { type, values } = readFilter(text);
    const key = TYPES[type];
    filter[key] = [...(filter[key] ?? []), ...values];
  }
  return filter;
}

/** One filter; `allowed` narrows the types. */
export function readFilter(
  text: string,
  allowed: readonly FilterType[] = Object.keys(TYPES) as FilterType[],
): { type: FilterType; values: string[] } {
  const types = allowed.filter((type) => type !== "without-tags").join(", ");
  const colon = text.indexOf(":");
  if (colon < 0) {
    throw usageError(
      `Invalid filter specification: '${text}'. Expected format: 'type:value1,value2,...'.`,
      `The type is one of: ${types}. For example: --filter only:my_tool`,
    );
  }
  const type = text.slice(0, colon).trim();
  if (!isAllowed(type, allowed)) {
    const misspelled = { name: type, among: allowed };
    throw usageError(`Invalid filter type: '${type}'.`, `Valid types are: ${types}.`, misspelled);
  }
  const values = text
    .slice(colon + 1)
    .split(",")
    .map((value) => value.trim())
    .filter((value) => value !== "");
  if (values.length === 0) {
    throw usageError(
      `No values provided for filter type '${type}'.`,
      `Write them after the colon: --filter ${type}:a,b`,
    );
  }
  return { type, values };
}

function isAllowed(type: string, allowed: readonly FilterType[]): type is FilterType {
  return (allowed as readonly string[]).includes(type);
}

/** A filter that no tool passes is a mistake; the warnings of loading say which name or tag no tool has. */
export function noToolPasses(filter: ToolFilter, file: string, suggestion?: string): CliError {
  const conditions = Object.entries(filter).map(
    ([type, values]) => `'${type === "without" ? "except" : type}:${oneLine(values.join(","))}'`,
  );
  const message = `No tool of ${oneLine(file)} passes ${conditions.join(" and ")}.`;
  const list = "'mci list' without a filter shows them all.";
  return usageError(message, suggestion === undefined ? list : `${oneLine(suggestion)} ${list}`);
}
