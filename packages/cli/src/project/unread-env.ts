import { readFileSync } from "node:fs";
import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { Environment } from "./env.ts";

/** Where a template reads all variables, or one whose name is computed, any may be meant. */
const ANY_VARIABLE = /\benv\s{0,9}(?:\[|\}|\||%|\))/;

/** A line for every variable of `--env` that nothing in the file reads: it changes nothing, and is likely misspelt. */
export async function describeUnread(
  file: string,
  assignments: readonly string[],
  { values: env }: Environment,
): Promise<string[]> {
  if (assignments.length === 0) return [];
  const { lintFile } = await import("mci-ts");
  // The loader reports what is wrong with the file.
  const linted = await lintFile(file, { env }).catch(() => undefined);
  if (linted === undefined || linted.files.some(readsAny)) return [];
  const read = new Set(linted.envs.map(({ name }) => name));
  return namesOf(assignments)
    .filter((name) => !read.has(name))
    .map((name) => {
      const similar = closestMatch(name, [...read]);
      return `--env ${name}: nothing in the file reads this variable${similar === undefined ? "." : `. Did you mean '${similar}'?`}`;
    });
}

export function namesOf(assignments: readonly string[]): string[] {
  return [...new Set(assignments.map((assignment) => assignment.split("=", 1)[0]!))];
}

/** What is not a file, such as the folder of toolsets, has no templates. */
function readsAny(path: string): boolean {
  try {
    return ANY_VARIABLE.test(readFileSync(path, "utf8"));
  } catch {
    return false;
  }
}
