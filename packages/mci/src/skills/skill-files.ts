import { createHash } from "node:crypto";
import { constants, type Dirent, promises } from "node:fs";
import { join, sep } from "node:path";
import { openedPath } from "../opened-path.ts";

export interface Walked {
  /** Paths of files below the root, with their sizes, in order. */
  readonly files: readonly { readonly path: string; readonly size: number }[];
  /** Paths of what is neither a file nor a folder: links, devices, pipes. */
  readonly special: readonly string[];
  /** There is more than may be looked at. */
  readonly isCut: boolean;
}

const MAX_ENTRIES = 5000;
const MAX_DEPTH = 10;
/** Does not follow a link that replaced the file meanwhile, and does not wait for a writer of a FIFO. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Everything below a folder. Hidden files and folders are not looked at; links are not followed. */
export async function walkFolder(root: string): Promise<Walked> {
  const files: { path: string; size: number }[] = [];
  const special: string[] = [];
  let left = MAX_ENTRIES;
  let isCut = false;
  const walk = async (folder: string, depth: number): Promise<void> => {
    const entries = await promises.readdir(join(root, folder), { withFileTypes: true });
    for (const entry of entries.sort(byName)) {
      if (entry.name.startsWith(".")) continue;
      if (--left < 0 || depth > MAX_DEPTH) {
        isCut = true;
        return;
      }
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(path, depth + 1);
      else if (entry.isFile()) files.push({ path, size: (await promises.lstat(join(root, path))).size });
      else special.push(path);
    }
  };
  await walk("", 0);
  return { files, special, isCut };
}

/** The bytes of a regular file below the root, which is resolved; no link leads out of it. */
export async function readInside(root: string, path: string, maxBytes: number): Promise<Buffer> {
  const target = join(root, path);
  const real = await promises.realpath(target);
  if (real !== target || !real.startsWith(root + sep)) throw new Error("it is reached through a link");
  const handle = await promises.open(real, FLAGS);
  try {
    const opened = openedPath(handle.fd);
    if (opened !== undefined && opened !== real) throw new Error("it is reached through a link");
    const stat = await handle.stat();
    if (!stat.isFile()) throw new Error("it is not a regular file");
    if (stat.size > maxBytes) throw new Error(`it is larger than ${maxBytes} bytes`);
    const bytes = Buffer.alloc(stat.size + 1);
    let total = 0;
    for (let count = -1; count !== 0 && total < bytes.length; total += count)
      count = (await handle.read(bytes, total, bytes.length - total)).bytesRead;
    if (total > stat.size) throw new Error("it grows while it is read");
    return bytes.subarray(0, total);
  } finally {
    await handle.close();
  }
}

export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}

function byName(a: Dirent, b: Dirent): number {
  return a.name < b.name ? -1 : 1;
}
