import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pack = join(root, "packages/console");
const LOCK = join(root, "node_modules/.console-build");
const LOCK_TIMEOUT_MS = 120_000;

/** Builds the page if its source is newer than the last build. Test files that run at the same time wait for one build. */
export async function buildPage(): Promise<void> {
  if (isFresh()) return;
  const release = await lock();
  try {
    if (!isFresh())
      await promisify(execFile)(process.execPath, ["scripts/build.ts", "packages/console"], { cwd: root });
  } finally {
    release();
  }
}

function isFresh(): boolean {
  const built = changedAt(join(pack, "dist/index.html"));
  const sources = ["src", "serve/tools/types.ts", "index.html", "vite.config.ts"].map((path) =>
    join(pack, path),
  );
  return built > Math.max(...sources.map(newestIn));
}

function newestIn(path: string): number {
  if (!statSync(path).isDirectory()) return changedAt(path);
  return Math.max(
    ...readdirSync(path, { recursive: true, encoding: "utf8" }).map((name) => changedAt(join(path, name))),
  );
}

function changedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function lock(): Promise<() => void> {
  const since = Date.now();
  for (;;) {
    try {
      mkdirSync(LOCK);
      return () => rmdirSync(LOCK);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST" || Date.now() - since > LOCK_TIMEOUT_MS)
        throw error;
      // Left behind by a build that was killed.
      if (Date.now() - changedAt(LOCK) > LOCK_TIMEOUT_MS) rmdirSync(LOCK);
      await sleep(200);
    }
  }
}
