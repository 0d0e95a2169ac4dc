import { closeSync, constants, fstatSync, lstatSync, openSync } from "node:fs";
import { ToolError } from "../../errors.ts";
import { openedPath } from "../../opened-path.ts";
import { readBytes } from "../../read-bytes.ts";
import type { Limits, PathRules } from "../executor.ts";
import { displayPath, isAllowed, pathRefused, realPath, resolvePath } from "../paths.ts";

export interface ReadFile {
  /** The file itself, symbolic links resolved. */
  readonly file: string;
  readonly bytes: Buffer;
}

/** What a reader may touch, and how much of it. */
export interface ReadRules {
  readonly paths: PathRules;
  readonly limits: Pick<Limits, "maxFileBytes">;
}

/** Reads a regular file that the path rules allow. Opening is synchronous and never waits; reading a large file is not. */
export async function readAllowed(filePath: string, rules: ReadRules, from?: string): Promise<ReadFile> {
  const file = resolvePath(filePath, rules.paths, from);
  const fd = open(file, filePath, from ?? rules.paths.baseDir);
  try {
    if (!isOpenedAllowed(fd, file, rules.paths, openedPath(fd))) throw pathRefused(filePath);
    const stat = fstatSync(fd);
    if (!stat.isFile()) throw notAFile(filePath);
    if (stat.size > rules.limits.maxFileBytes) throw tooLarge(filePath, rules.limits.maxFileBytes);
    return { file, bytes: await readAll(fd, stat.size, filePath, rules.limits.maxFileBytes) };
  } finally {
    closeSync(fd);
  }
}

/** Does not follow a link that replaced the file meanwhile, and does not wait for a writer of a FIFO. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

function open(file: string, filePath: string, from: string): number {
  try {
    // Looked at first, because merely opening a device may set it off.
    if (!lstatSync(file).isFile()) throw notAFile(filePath);
    return openSync(file, FLAGS);
  } catch (error) {
    throw error instanceof ToolError ? error : openError(error as NodeJS.ErrnoException, filePath, from);
  }
}

function openError(error: NodeJS.ErrnoException, filePath: string, from: string): ToolError {
  switch (error.code) {
    case "ENOENT":
    case "ENOTDIR":
      return new ToolError("file_not_found", `File not found: ${displayPath(filePath, from)}`, {
        cause: error,
      });
    default:
      return unreadable(error, filePath);
  }
}

function unreadable(error: NodeJS.ErrnoException, filePath: string): ToolError {
  const reason = error.code === "EACCES" || error.code === "EPERM" ? "permission denied" : error.code;
  return new ToolError("file_unreadable", `File cannot be read (${reason}): ${filePath}`, { cause: error });
}

function notAFile(filePath: string): ToolError {
  return new ToolError("file_not_a_file", `Path is not a file: ${filePath}`);
}

function tooLarge(filePath: string, limit: number): ToolError {
  return new ToolError(
    "file_too_large",
    `File is larger than ${limit} bytes: ${filePath}. Raise the limit maxFileBytes, or read a smaller file.`,
  );
}

/**
 * A directory on the way may have been swapped for a link after the check. Linux tells what was really opened. Elsewhere the
 * name is resolved again, and must lead to the very file that was opened.
 */
export function isOpenedAllowed(
  fd: number,
  file: string,
  rules: PathRules,
  opened: string | undefined,
): boolean {
  if (opened !== undefined) return opened === file || isAllowed(opened, rules);
  for (let i = 0; i < RESOLVED_AGAIN; i++) {
    const { real } = realPath(file);
    if (!isAllowed(real, rules) || !isIdentical(fd, real)) return false;
  }
  return true;
}

/** Each time, an attacker has to swap twice more at the right moments: three swaps were found once in 700,000 attempts. */
const RESOLVED_AGAIN = 3;

function isIdentical(fd: number, path: string): boolean {
  const one = fstatSync(fd, { bigint: true });
  const other = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return other !== undefined && one.ino === other.ino && one.dev === other.dev;
}

/** Files of /proc say that their size is 0, and are read to their end. */
async function readAll(fd: number, size: number, filePath: string, limit: number): Promise<Buffer> {
  const bytes = await (size > 0 ? readBytes(fd, size, size) : readBytes(fd, limit + 1)).catch((error) => {
    throw unreadable(error, filePath);
  });
  if (bytes.length > limit) throw tooLarge(filePath, limit);
  return bytes;
}
