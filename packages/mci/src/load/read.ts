import { isUtf8 } from "node:buffer";
import fs, { closeSync, constants, fstatSync, openSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, extname, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { closestMatch } from "@mci-ts/primitives/closest-match";
import { type ClientErrorCode, MCIClientError } from "../errors.ts";
import { openedPath } from "../opened-path.ts";
import { readBytes } from "../read-bytes.ts";
import { positionsOf } from "./parse/positions.ts";
import { failedToLoad, loadError } from "./problems.ts";

/** The text of an MCI file. */
export interface Source {
  /** The file as the caller named it, for messages. */
  readonly file: string;
  /** The same, absolute. */
  readonly path: string;
  readonly format: "json" | "yaml";
  readonly text: string;
}

export interface ReadOptions {
  /** Largest file that is read, in bytes. Default 64 MiB. */
  readonly maxBytes?: number;
  /**
   * Asked about the file after it was opened, its symbolic links resolved, so that a link swapped in between leads
   * nowhere else. Default: every file is readable.
   */
  readonly isReadable?: ((real: string) => boolean) | undefined;
}

const FORMATS: Readonly<Record<string, Source["format"]>> = {
  ".json": "json",
  ".yaml": "yaml",
  ".yml": "yaml",
};

/** Reads a file by its path or `file:` URL. Every failure is an `MCIClientError` that says why. */
export async function readSource(path: string | URL, options: ReadOptions = {}): Promise<Source> {
  const file = toFileName(path);
  const absolute = resolve(file);
  const found = statIfExists(file, absolute);
  if (found !== "missing" && !found.isFile()) {
    throw failure(
      "schema_not_a_file",
      file,
      `Path is not a file${found.isDirectory() ? ", but a directory" : ""}`,
    );
  }
  // Before "no such file": for a missing notes.txt, the unsupported extension is the more useful error.
  const format = formatOf(file);
  if (found === "missing") throw await missing(file, absolute);
  const { maxBytes = 64 * 1024 * 1024, isReadable } = options;
  if (found.size > maxBytes) throw tooLarge(file, maxBytes);
  const bytes = await readFile(absolute, maxBytes + 1, isReadable).catch((error: unknown) => {
    throw unreadable(file, error);
  });
  // The file may have grown in between.
  if (bytes.length > maxBytes) throw tooLarge(file, maxBytes);
  return { file, path: absolute, format, text: decode(bytes, file) };
}

/** Text that is not saved, as if it were in the file. */
export function sourceOf(path: string | URL, text: string): Source {
  const file = toFileName(path);
  return { file, path: resolve(file), format: formatOf(file), text };
}

function toFileName(path: string | URL): string {
  const isUrl = path instanceof URL || (typeof path === "string" && path.startsWith("file:"));
  if (!isUrl && (typeof path !== "string" || path === "" || path.includes("\0"))) {
    const message = "The path of an MCI file must be a non-empty string without NUL, or a file: URL.";
    throw new MCIClientError("invalid_argument", message);
  }
  try {
    return isUrl ? fileURLToPath(path) : (path as string);
  } catch (cause) {
    throw failure(
      "invalid_argument",
      String(path),
      `Not a usable file: URL (${(cause as Error).message})`,
      cause,
    );
  }
}

/** Synchronous, like opening: both are faster than a round trip through the thread pool. */
function statIfExists(file: string, absolute: string) {
  try {
    return statSync(absolute);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return "missing";
    throw unreadable(file, error);
  }
}

function formatOf(file: string): Source["format"] {
  const extension = extname(file).toLowerCase();
  const format = Object.hasOwn(FORMATS, extension) ? FORMATS[extension] : undefined;
  if (format !== undefined) return format;
  const supported = Object.keys(FORMATS).join(", ");
  throw failure(
    "schema_extension",
    file,
    `Unsupported file extension '${extension}'. Supported extensions: ${supported}`,
  );
}

async function missing(file: string, absolute: string): Promise<MCIClientError> {
  const siblings = await fs.promises.readdir(dirname(absolute)).catch(() => []);
  const similar = closestMatch(
    basename(absolute),
    siblings.filter((name) => Object.hasOwn(FORMATS, extname(name).toLowerCase())),
  );
  const lookedAt = isAbsolute(file) ? "" : ` (looked at ${absolute})`;
  const hint = similar === undefined ? "" : `. Did you mean '${similar}'?`;
  return failure("schema_not_found", file, `No such file or directory${lookedAt}${hint}`);
}

/** Opening a FIFO must not block. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** Up to the size the file has when it is opened. One that says 0, like those of /proc, is read to its end, or to `most`. */
async function readFile(
  absolute: string,
  maxBytes: number,
  isReadable: ReadOptions["isReadable"],
): Promise<Buffer> {
  const fd = openSync(absolute, FLAGS);
  try {
    if (isReadable?.(openedPath(fd) ?? realpathSync.native(absolute)) === false)
      throw new Error("it is not inside the folders that may be read");
    const size = Math.min(fstatSync(fd).size || maxBytes, maxBytes);
    return await readBytes(fd, size);
  } finally {
    closeSync(fd);
  }
}

function decode(bytes: Buffer, file: string): string {
  if (isUtf8(bytes)) {
    const text = bytes.toString("utf8");
    return text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;
  }
  const isUtf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  // Lenient decoding puts a replacement character at the first bad byte.
  const text = bytes.toString("utf8");
  const problem = {
    message: isUtf16 ? "The file is UTF-16, not UTF-8" : "The file is not valid UTF-8",
    hint: "save it as UTF-8",
    file,
    ...(isUtf16 ? {} : positionsOf(text)(text.indexOf("\uFFFD"))),
    severity: "error" as const,
  };
  throw loadError("schema_unreadable", file, [problem]);
}

const BYTE_ORDER_MARK = "\uFEFF";

function tooLarge(file: string, maxBytes: number): MCIClientError {
  return failure("schema_unreadable", file, `The file is larger than the limit of ${maxBytes} bytes`);
}

function unreadable(file: string, error: unknown): MCIClientError {
  const { code, message } = error as NodeJS.ErrnoException;
  const reason = code === "EACCES" || code === "EPERM" ? "Permission denied" : message;
  return failure("schema_unreadable", file, reason, error);
}

function failure(code: ClientErrorCode, file: string, reason: string, cause?: unknown): MCIClientError {
  const problems = [{ message: reason, file, severity: "error" as const }];
  return new MCIClientError(code, `${failedToLoad(file)}: ${reason}`, { problems, cause });
}
