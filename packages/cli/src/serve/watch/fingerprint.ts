import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

/** A hash of files and of the names in folders. Whatever does not exist counts as empty. */
export async function fingerprint(paths: readonly string[]): Promise<string> {
  const hash = createHash("sha256");
  for (const content of await Promise.all(paths.map(contentOf))) {
    hash.update(`${content.length}:`).update(content);
  }
  return hash.digest("base64");
}

async function contentOf(path: string): Promise<string | Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EISDIR") return "";
  }
  // Cached tool lists in `mcp` are written by loading itself.
  const names = await readdir(path).catch(() => []);
  return names
    .filter((name) => name !== "mcp")
    .sort()
    .join("/");
}
