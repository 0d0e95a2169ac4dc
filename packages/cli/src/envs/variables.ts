import type { EnvUse } from "mci-ts";
import type { Environment } from "../project/env.ts";

/** One variable with all its uses. */
export interface Variable {
  readonly name: string;
  readonly isSet: boolean;
  /** Set to nothing: templates take that for a value. */
  readonly isEmpty: boolean;
  /** A file, "environment" or "--env"; undefined if it is not set. */
  readonly source?: string;
  /** Every use goes on without it. */
  readonly hasFallback: boolean;
  /** "main", toolsets, `mcp:` servers; sorted. */
  readonly usedBy: readonly string[];
  readonly uses: readonly EnvUse[];
}

/** Sorted by name. */
export function variablesOf(uses: readonly EnvUse[], { sources, values }: Environment): Variable[] {
  const byName = Map.groupBy(uses, ({ name }) => name);
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, uses]) => ({
      name,
      isSet: sources.has(name),
      isEmpty: values[name] === "",
      ...(sources.has(name) && { source: sources.get(name) }),
      hasFallback: uses.every((use) => use.hasFallback),
      usedBy: [...new Set(uses.map(({ usedBy }) => usedBy))].sort(),
      uses,
    }));
}
