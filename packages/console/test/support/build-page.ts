import { execFile } from "node:child_process";
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { withLock } from "./lock.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const pack = join(root, "packages/console");

/** Builds the page if its source is newer than the last build. Test files that run at the same time wait for one build. */
export async function buildPage(): Promise<void> {
  if (isFresh()) return;
  await withLock(join(root, "node_modules/.console-build"), async () => {
    if (!isFresh())
      await promisify(execFile)(process.execPath, ["scripts/build.ts", "packages/console"], { cwd: root });
  });
}

function isFresh(): boolean {
  const built = changedAt(join(pack, "dist/index.html"));
  const sources = ["src", "serve/tools", "index.html", "vite.config.ts"].map((path) => join(pack, path));
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
