import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
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

function filesBelow(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return NOT_BUILT.has(entry.name) ? [] : filesBelow(path);
      return /\.(test|fuzz)\.tsx?$|\.md$/.test(entry.name) ? [] : [path];
    });
}
