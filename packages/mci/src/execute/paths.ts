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
export function resolvePath(filePath: string, rules: PathRules, from: string = rules.baseDir): string {
  if (filePath.includes("\0"))
    throw new ToolError("path_refused", "A path must not contain a NUL character.");
  const path = nodePath.resolve(from, filePath);
  if (path.length >= MAX_PATH)
    throw new ToolError("path_refused", `A path must be shorter than ${MAX_PATH} characters.`);
  const { real } = realPath(path);
  if (!isAllowed(real, rules)) throw pathRefused(filePath);
  return real;
}

/** A path for a message: as it was given, and where that led, unless it says so itself. */
export function displayPath(filePath: string, from: string): string {
  const path = nodePath.resolve(from, filePath);
  return nodePath.isAbsolute(filePath) ? filePath : `${filePath} (looked at ${path})`;
}

export function pathRefused(filePath: string): ToolError {
  return new ToolError(
    "path_refused",
    `File path access outside context directory and allow-list is not allowed unless enableAnyPaths is true. Path: ${filePath}`,
    { hint: "move it beside the MCI file, or allow its folder in directoryAllowList" },
  );
}

/** Whether a path without symbolic links lies in one of the allowed directories, of these rules and those around them. */
export function isAllowed(real: string, rules: PathRules): boolean {
  const { baseDir, directoryAllowList, within } = rules;
  if (rules.isProtected?.(real)) return false;
  if (within !== undefined && !isAllowed(real, within)) return false;
  return (
    rules.enableAnyPaths ||
    isInside(realPath(baseDir).real, real) ||
    directoryAllowList.some((entry) => isInside(realPath(nodePath.resolve(baseDir, entry)).real, real))
  );
}

/** Whether `target` is `root` or lies in it, by segments: `/data-old` is not inside `/data`. Both are absolute. */
export function isInside(root: string, target: string, path: PlatformPath = nodePath): boolean {
  const relative = path.relative(root, target);
  return relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative);
}

export interface RealPath {
  /** Without symbolic links; what does not exist is appended as written. */
  readonly real: string;
  /** The part of `real` that exists; the same as `real` if all of it does. */
  readonly existing: string;
}

/** Linux takes no longer path; others stop earlier or have no use for more. */
export const MAX_PATH = 4096;
/** Systems follow as many symbolic links before they give up. */
const MAX_LINKS = 40;

/** Where an absolute path leads. `..` after a symbolic link means the parent of the link's target, as for the system. */
export function realPath(path: string, links = 0): RealPath {
  const whole = tryRealPath(path);
  if (whole !== undefined) return { real: whole, existing: whole };
  const { head, missing } = splitExisting(path);
  const existing = tryRealPath(head);
  if (existing !== undefined) return { real: nodePath.join(existing, ...missing), existing };
  // A link leads to its target even if that is missing: writing to the link would create it.
  const target = links < MAX_LINKS ? linkTarget(head) : undefined;
  if (target !== undefined) return realPath([target, ...missing].join(nodePath.sep), links + 1);
  const parent = nodePath.dirname(head);
  if (parent === head) return { real: path, existing: head };
  const folder = realPath(parent, links);
  return { real: nodePath.join(folder.real, nodePath.basename(head), ...missing), existing: folder.existing };
}

function tryRealPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** Looked for from the root downwards, after the usual cases, so that a long path into nowhere costs little. */
function splitExisting(path: string): { head: string; missing: string[] } {
  if (exists(path)) return { head: path, missing: [] };
  const parent = nodePath.dirname(path);
  if (exists(parent)) return { head: parent, missing: [nodePath.basename(path)] };
  const { root } = nodePath.parse(path);
  const segments = path.slice(root.length).split(SEPARATORS);
  let head = root;
  for (const [index, segment] of segments.entries()) {
    const next = head.endsWith(nodePath.sep) ? head + segment : head + nodePath.sep + segment;
    if (!exists(next)) return { head, missing: segments.slice(index) };
    head = next;
  }
  return { head, missing: [] };
}

const SEPARATORS = nodePath.sep === "\\" ? /[\\/]+/ : /\/+/;

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return joinRaw(nodePath.dirname(path), readlinkSync(path));
  } catch {
    return undefined;
  }
}

/** Joins without collapsing `..`, which only the file system can do rightly where links are involved. */
export function joinRaw(from: string, filePath: string): string {
  return nodePath.isAbsolute(filePath) ? filePath : `${from}${nodePath.sep}${filePath}`;
}
