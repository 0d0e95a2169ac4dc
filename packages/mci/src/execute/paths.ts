import { lstatSync, readlinkSync, realpathSync } from "node:fs";
import nodePath, { type PlatformPath } from "node:path";
import { ToolError } from "../errors.ts";
import type { PathRules } from "./executor.ts";

/**
 * Names are looked up synchronously: a few microseconds each, where a trip through the thread pool takes thirty.
 * Nothing here remembers an answer, so a link that changes between two calls is seen.
 */

/**
 * The place a path leads to, symbolic links resolved, if the rules allow it; throws otherwise. A path that leads
 * nowhere is resolved as far as it exists, so that a missing file outside the allowed directories is refused like an
 * existing one and nothing can be learned about what is there.
 */
export function resolvePath(given: string, rules: PathRules, from: string = rules.baseDir): string {
  if (given.includes("\0")) throw new ToolError("path_refused", "A path must not contain a NUL character.");
  const path = nodePath.resolve(from, given);
  if (path.length >= MAX_PATH)
    throw new ToolError("path_refused", `A path must be shorter than ${MAX_PATH} characters.`);
  const { real } = realPath(path);
  if (!isAllowed(real, rules)) throw pathRefused(given);
  return real;
}

export function pathRefused(given: string): ToolError {
  return new ToolError(
    "path_refused",
    `File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true. Path: ${given}`,
  );
}

/** Whether a path without symbolic links lies in one of the allowed directories. */
export function isAllowed(real: string, rules: PathRules): boolean {
  return (
    rules.enableAnyPaths ||
    isInside(realPath(rules.baseDir).real, real) ||
    rules.directoryAllowList.some((entry) =>
      isInside(realPath(nodePath.resolve(rules.baseDir, entry)).real, real),
    )
  );
}

/** Whether `target` is `root` or lies in it, by segments: `/data-old` is not inside `/data`. Both are absolute. */
export function isInside(root: string, target: string, path: PlatformPath = nodePath): boolean {
  const way = path.relative(root, target);
  return way !== ".." && !way.startsWith(`..${path.sep}`) && !path.isAbsolute(way);
}

export interface RealPath {
  /** Without symbolic links; what does not exist is appended as written. */
  readonly real: string;
  /** The part of `real` that exists; the same as `real` if all of it does. */
  readonly existing: string;
}

/** Linux takes no longer path; others stop earlier or have no use for more. */
export const MAX_PATH = 4096;
/** As many symbolic links as systems follow before they give up. */
const MAX_LINKS = 40;

/** Where an absolute path leads. `..` after a symbolic link means the parent of the link's target, as for the system. */
export function realPath(path: string): RealPath {
  const missing: string[] = [];
  for (let head = path, links = 0; ; ) {
    try {
      const existing = realpathSync.native(head);
      return { real: nodePath.join(existing, ...missing), existing };
    } catch {
      const target = links < MAX_LINKS ? linkTarget(head) : undefined;
      const parent = nodePath.dirname(head);
      if (target !== undefined) {
        // A link leads to its target even if that is missing: writing to the link would create it.
        links += 1;
        head = target;
      } else if (parent === head) {
        return { real: nodePath.join(head, ...missing), existing: head };
      } else {
        missing.unshift(nodePath.basename(head));
        head = parent;
      }
    }
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return lstatSync(path).isSymbolicLink() ? joinRaw(nodePath.dirname(path), readlinkSync(path)) : undefined;
  } catch {
    return undefined;
  }
}

/** Joins without collapsing `..`, which only the file system can do rightly where links are involved. */
export function joinRaw(from: string, given: string): string {
  return nodePath.isAbsolute(given) ? given : `${from}${nodePath.sep}${given}`;
}
