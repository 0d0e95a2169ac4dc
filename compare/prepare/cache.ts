import { createHash } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const CACHE = fileURLToPath(new URL("../.cache/", import.meta.url));

/**
 * A folder made by `fill` the first time, and again whenever `key` changes. A folder that could not be filled is removed.
 * Throws what `fill` throws.
 */
export async function cached(
  name: string,
  key: unknown,
  fill: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, name);
  const stamp = createHash("sha256").update(JSON.stringify(key)).digest("hex");
  const done = join(folder, `.done-${stamp}`);
  if (existsSync(done)) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  try {
    await fill(folder);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
  writeFileSync(done, "");
  return folder;
}
