import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { type Cluster, openCluster } from "../src/database/embedded/cluster.ts";

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
  const target = join(dataDir, "postgres");
  // Owners and modes must stay, which only this program does.
  if (process.platform === "win32" || existsSync(target)) return;
  const { folder, data } = await openOriginal(keptFolder("cluster"));
  mkdirSync(dataDir, { recursive: true });
  const claim = join(dataDir, "copying");
  if (!(await isMine(claim, target))) return;
  const settings = join(data, "postgresql.auto.conf");
  if (!readFileSync(settings, "utf8").includes(SETTINGS)) appendFileSync(settings, SETTINGS);
  const draft = join(dataDir, `postgres-${process.pid}`);
  mkdirSync(draft, { mode: 0o700 });
  // Not the whole folder: another process may be creating the same files there. A server of this process goes on meanwhile: one
  // that stands still for seconds resets the connections that its clients keep.
  await promisify(execFile)("cp", ["-a", data, join(folder, "password"), draft]);
  try {
    renameSync(draft, target);
  } catch (error) {
    rmSync(draft, { recursive: true });
    // Another process was first.
    if (!existsSync(target)) throw error;
  }
  rmSync(claim, { recursive: true, force: true });
}

async function openOriginal(dataDir: string): Promise<Cluster> {
  await isMine(dataDir, join(dataDir, "postgres", "data"));
  return openCluster(dataDir);
}

/**
 * Whether this process is the one to create the files: of those that run tests side by side the first gets the claim, and the
 * others wait. If that one was killed, they do it themselves.
 */
async function isMine(claim: string, target: string): Promise<boolean> {
  const isFirst = mkdirSync(claim, { recursive: true }) !== undefined;
  for (let tries = 0; !isFirst && !existsSync(target) && tries < 300; tries++) await sleep(100);
  return !existsSync(target);
}
