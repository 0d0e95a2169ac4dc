import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, resolve } from "node:path";

/** Removes the declarations that no entry point leads to: tsc writes one for every file, also for internal ones. */
export function pruneDeclarations(types: string, entries: readonly string[]): void {
  const reached = new Set<string>();
  const waiting = entries.map((entry) => resolve(entry));
  for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    waiting.push(...importsOf(file));
  }
  for (const name of readdirSync(types, { recursive: true, encoding: "utf8" })) {
    const file = resolve(types, name);
    if (file.endsWith(".d.ts") && !reached.has(file)) rmSync(file);
  }
}

/** `from "./x.ts"` and `import("./x.ts")`, as the files that declare them. */
function importsOf(file: string): string[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?:from|import)\s*\(?\s*"(\.{1,2}\/[^"]+)"/g)]
    .map(([, path]) => join(dirname(file), path!.replace(/\.(ts|js)$/, ".d.ts")))
    .filter((path) => existsSync(path));
}
