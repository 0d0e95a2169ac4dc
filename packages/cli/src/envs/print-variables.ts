import { basename } from "node:path";
import type { Context } from "../command.ts";
import { oneLine, toJson } from "../print/escape-controls.ts";
import { placeOf, shortPath } from "../print/problems.ts";
import { table, tabSeparated } from "../print/table.ts";
import type { Variable, VariableState } from "./variables.ts";

export function asTable(variables: readonly Variable[], { cwd, stdout }: Context, isTable: boolean): string {
  const rows = variables.map((variable) => [
    variable.name,
    variableState(variable, cwd),
    variable.usedBy.join(", "),
    variable.uses
      .map((use) => placeOf({ ...use, path: undefined, message: "", severity: "warning" }, cwd))
      .join(", "),
  ]);
  return isTable ? table(["Variable", "Status", "Used by", "Where"], rows, stdout) : tabSeparated(rows);
}

/**
 * A template for an env file: names without values. Those that have a fallback are commented out, since an empty value
 * would count as given.
 */
export function asEnvFile(variables: readonly Variable[], file: string): string {
  const header = `# Variables that ${oneLine(basename(file))} needs, by 'mci envs'.\n# Copy to .env.mci and fill in. Keep it out of version control.\n`;
  const entries = variables.map(
    ({ name, hasFallback, usedBy }) =>
      `\n# Used by: ${oneLine(usedBy.join(", "))}${hasFallback ? " (optional)\n# " : "\n"}${name}=\n`,
  );
  return header + entries.join("");
}

export function asJson(variables: readonly Variable[]): string {
  const data = variables.map(({ name, isSet, isEmpty, source, hasFallback, usedBy, uses }) => ({
    name,
    set: isSet,
    ...(isEmpty && { empty: true }),
    ...(source !== undefined && { source }),
    fallback: hasFallback,
    usedBy,
    uses: uses.map(({ name: _, ...use }) => use),
  }));
  return toJson({ variables: data });
}

/** The state of a variable, never its value. */
export function variableState(
  { isSet, isEmpty, source = "", hasFallback }: Omit<VariableState, "name">,
  cwd: string,
): string {
  if (isSet)
    return `${isEmpty ? "empty" : "set"} (${source.includes("/") ? shortPath(source, cwd) : source})`;
  return hasFallback ? "not set (has a fallback)" : "missing";
}
