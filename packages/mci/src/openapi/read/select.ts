import { SAFE_METHODS } from "@mci-ts/primitives/http-methods";
import type { Operation } from "./operations.ts";

/** Which operations become tools. Each kind narrows the choice; several values of one kind widen it. */
export interface Selection {
  /** Tags, in any case of letters. */
  readonly tags?: readonly string[];
  /** Paths: exact, a beginning (`/repos`), or with `*` for one segment and `**` for any number. */
  readonly paths?: readonly string[];
  readonly methods?: readonly string[];
  /** Operation ids or tool names; `*` stands for any text. */
  readonly operations?: readonly string[];
  /** Only methods that change nothing. Default false. */
  readonly readOnly?: boolean;
  /** Operation ids, tool names, tags or paths to leave out, written as above. */
  readonly exclude?: readonly string[];
  /** Default false. */
  readonly includeDeprecated?: boolean;
}

/** Why an operation is not wanted; undefined if it is. */
export function reasonToSkip(operation: Operation, name: string, selection: Selection): string | undefined {
  const { tags, paths, methods, operations, exclude = [] } = selection;
  if (isSet(tags) && !hasTag(operation, tags)) return "has none of the chosen tags";
  if (isSet(paths) && !paths.some((pattern) => matchesPath(operation.path, pattern)))
    return "path not chosen";
  if (isSet(methods) && !methods.some((method) => method.toUpperCase() === operation.method))
    return "method not chosen";
  if (isSet(operations) && !operations.some((pattern) => matchesName(operation, name, pattern)))
    return "operation not chosen";
  if (selection.readOnly && !SAFE_METHODS.includes(operation.method)) return "not read-only";
  if (exclude.some((pattern) => isExcluded(operation, name, pattern))) return "excluded";
  if (operation.deprecated && !selection.includeDeprecated) return "deprecated";
  return undefined;
}

function isSet<T>(list: readonly T[] | undefined): list is readonly T[] {
  return list !== undefined && list.length > 0;
}

function isExcluded(operation: Operation, name: string, pattern: string): boolean {
  if (pattern.startsWith("/")) return matchesPath(operation.path, pattern);
  return matchesName(operation, name, pattern) || hasTag(operation, [pattern]);
}

function hasTag({ tags }: Operation, wanted: readonly string[]): boolean {
  const lower = new Set(wanted.map((tag) => tag.toLowerCase()));
  return tags.some((tag) => lower.has(tag.toLowerCase()));
}

function matchesName({ operationId }: Operation, name: string, pattern: string): boolean {
  const stars = pattern.replace(/\*+/g, "**");
  return matchesGlob(name, stars) || (operationId !== undefined && matchesGlob(operationId, stars));
}

function matchesPath(path: string, pattern: string): boolean {
  if (!pattern.includes("*")) {
    const start = pattern.replace(/(?<!\/)\/+$/, "");
    return path === pattern || path === start || path.startsWith(`${start}/`);
  }
  return matchesGlob(path, pattern);
}

/**
 * `*` stands for any characters but a slash, `**` for any characters. All ways to match are followed at once, one
 * character at a time: paths come from a stranger's document, and a backtracking engine could take very long.
 */
function matchesGlob(text: string, pattern: string): boolean {
  const parts = pattern.match(/\*+|[^*]/gu) ?? [];
  let states = withSkippedStars([0], parts);
  for (const char of text) {
    const next = [...states].flatMap((at) => {
      const part = parts[at];
      if (part?.startsWith("*")) return part.length > 1 || char !== "/" ? [at] : [];
      return part === char ? [at + 1] : [];
    });
    states = withSkippedStars(next, parts);
  }
  return states.has(parts.length);
}

/** A star also stands for nothing. */
function withSkippedStars(states: readonly number[], parts: readonly string[]): Set<number> {
  const all = new Set(states);
  for (const at of all) if (parts[at]?.startsWith("*")) all.add(at + 1);
  return all;
}
