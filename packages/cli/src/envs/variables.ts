import type { EnvUse } from "mci-ts";
import type { Environment } from "../project/env.ts";

export interface VariableState {
  readonly name: string;
  readonly isSet: boolean;
  /** Set to nothing: templates take that for a value. */
  readonly isEmpty: boolean;
  /** A file, "environment" or "--env"; undefined if it is not set. */
  readonly source?: string;
  /** Every use goes on without it. */
  readonly hasFallback: boolean;
}

/** One variable with all its uses. */
export interface Variable extends VariableState {
  /** "main", toolsets, `mcp:` servers; sorted. */
  readonly usedBy: readonly string[];
  readonly uses: readonly EnvUse[];
}

/** Sorted by name. */
export function variablesOf(uses: readonly EnvUse[], env: Environment): Variable[] {
  const byName = Map.groupBy(uses, ({ name }) => name);
  return [...byName]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, uses]) => ({
      ...stateOf(
        name,
        uses.every((use) => use.hasFallback),
        env,
      ),
      usedBy: [...new Set(uses.map(({ usedBy }) => usedBy))].sort(),
      uses,
    }));
}

export function stateOf(name: string, hasFallback: boolean, { sources, values }: Environment): VariableState {
  const source = sources.get(name);
  return {
    name,
    isSet: source !== undefined,
    isEmpty: Object.hasOwn(values, name) && values[name] === "",
    ...(source !== undefined && { source }),
    hasFallback,
  };
}
