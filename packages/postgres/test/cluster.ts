import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openCluster } from "../src/database/embedded/cluster.ts";

/** Files that another version of the program created are not used again. */
const copy = createHash("sha256")
  .update(import.meta.url)
  .update(readFileSync(new URL("../src/database/embedded/cluster.ts", import.meta.url)))
  .digest("hex")
  .slice(0, 12);

/** What the tests of one copy of the repository keep from run to run. Not nested: PostgreSQL may run as another user. */
export const keptFolder = (name: string) => join(tmpdir(), `council-test-${name}-${copy}`);

/** A server survives being killed, as always; only a crash of the machine may lose what is written here. */
const SETTINGS = "fsync = off\nfull_page_writes = off\nautovacuum = off\n";

/**
 * Gives a data folder the files of a new PostgreSQL, unless it has some. They are copied: `initdb` takes a second of processor
 * time, and `embedded.test.ts` proves it.
 */
export async function copyCluster(dataDir: string): Promise<void> {
  // Owners and modes must stay, which only this program does.
  if (process.platform === "win32" || existsSync(join(dataDir, "postgres"))) return;
  const original = keptFolder("cluster");
  mkdirSync(original, { recursive: true });
  const { folder, data } = await openCluster(original);
  const settings = join(data, "postgresql.auto.conf");
  if (!readFileSync(settings, "utf8").includes(SETTINGS)) appendFileSync(settings, SETTINGS);
  const draft = join(dataDir, `postgres-${process.pid}`);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  // Not the whole folder: another process may be creating the same files there.
  execFileSync("cp", ["-a", data, join(folder, "password"), draft]);
  try {
    renameSync(draft, join(dataDir, "postgres"));
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was first.
    if (!existsSync(join(dataDir, "postgres"))) throw error;
  }
}
