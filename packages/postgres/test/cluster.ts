import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "../src/database/embedded/cluster.ts";

/** What the tests of one copy of the repository keep from run to run. */
const copy = createHash("sha256")
  .update(import.meta.url)
  .digest("hex")
  .slice(0, 12);
export const keptFolder = join(tmpdir(), `council-test-postgres-${copy}`);

/**
 * Gives a data folder the files of a new PostgreSQL, unless it has some. They are copied: `initdb` takes a second of processor
 * time, and `embedded.test.ts` proves it.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  // Owners and modes must stay, which only this program does.
  if (process.platform === "win32" || existsSync(join(dataDir, "postgres"))) return;
  const original = join(keptFolder, "original");
  mkdirSync(original, { recursive: true });
  const { folder } = await openCluster(original);
  const draft = join(dataDir, `postgres-${process.pid}`);
  mkdirSync(dataDir, { recursive: true });
  execFileSync("cp", ["-a", folder, draft]);
  try {
    renameSync(draft, join(dataDir, "postgres"));
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was first.
    if (!existsSync(join(dataDir, "postgres"))) throw error;
  }
}
