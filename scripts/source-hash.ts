import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./bundle.ts";

/** Folders below each package that hold no source of what is built. */
const NOT_BUILT = new Set(["node_modules", "dist", "test"]);

/** A hash of everything the built packages are made of: their sources, their dependencies and the build itself. */
export function sourceHash(): string {
  const hash = createHash("sha256");
  for (const path of [
    ...filesBelow("packages"),
    ...filesBelow("scripts"),
    "package-lock.json",
    "tsconfig.base.json",
  ]) {
    hash
      .update(path)
      .update("\0")
      .update(readFileSync(join(root, path)))
      .update("\0");
  }
  return hash.digest("hex").slice(0, 16);
}

/** The hash of the sources that the `dist` of a package was built from. */
export function builtFrom(dir: string): string | undefined {
  return existsSync(`${root}${dir}/dist`) && existsSync(recordOf(dir))
    ? readFileSync(recordOf(dir), "utf8")
    : undefined;
}

export function recordBuild(dir: string, hash: string): void {
  mkdirSync(dirname(recordOf(dir)), { recursive: true });
  writeFileSync(recordOf(dir), hash);
}

/** Not in `dist`, which is published. */
function recordOf(dir: string): string {
  return `${root}node_modules/.cache/mci-build/${dir.replaceAll("/", "-")}`;
}

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_BUILT.has(entry.name) ? [] : filesBelow(path);
      return /\.(test|fuzz)\.tsx?$|\.md$/.test(entry.name) ? [] : [path];
    });
}
