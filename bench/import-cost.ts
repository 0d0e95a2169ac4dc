/**
 * What installing and importing `mci-ts` costs, for two builds side by side:
 *
 *   node bench/import-cost.ts BEFORE AFTER      two checkouts of this repository, both built
 *
 * Packages and their sizes are those that `npm install mci-ts` brings, the package itself included; times are the best
 * of many fresh processes, in turns: what else the machine does can only add to them.
 */
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

const ROUNDS = 41;
const checkouts = process.argv.slice(2).map((path) => resolve(path));
if (checkouts.length === 0) {
  console.error("Usage: node bench/import-cost.ts CHECKOUT [CHECKOUT…]");
  process.exit(2);
}

const times = new Map<string, number[]>(checkouts.map((checkout) => [checkout, []]));
for (let round = 0; round < ROUNDS; round++)
  for (const checkout of checkouts) times.get(checkout)!.push(importMs(checkout));

for (const checkout of checkouts) {
  const packages = installed(checkout);
  const bytes = packages.reduce((sum, folder) => sum + sizeOf(folder), 0);
  console.log(
    `${checkout}: ${packages.length} packages, ${(bytes / 2 ** 20).toFixed(2)} MiB, import ${Math.min(...times.get(checkout)!).toFixed(1)} ms`,
  );
}

function importMs(checkout: string): number {
  const code = `
    const started = performance.now();
    await import(${JSON.stringify(`file://${checkout}/packages/mci/dist/index.js`)});
    console.log(performance.now() - started);`;
  return Number(execFileSync(process.execPath, ["--input-type=module", "-e", code], { encoding: "utf8" }));
}

/** The folders of the package and of everything it depends on. Optional peers are not installed. */
function installed(checkout: string): string[] {
  const lock = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")).packages;
  const names = new Set<string>();
  const add = (dependencies: Readonly<Record<string, string>> = {}) => {
    for (const name of Object.keys(dependencies)) {
      if (names.has(name)) continue;
      names.add(name);
      add(lock[`node_modules/${name}`].dependencies);
    }
  };
  add(lock["packages/mci"].dependencies);
  return ["packages/mci", ...[...names].map((name) => `node_modules/${name}`)].map((path) =>
    join(checkout, path),
  );
}

function sizeOf(folder: string): number {
  const isOurs = folder.endsWith("packages/mci");
  const files = globSync(isOurs ? ["dist/**", "*.json", "*.md"] : "**", { cwd: folder });
  return files.reduce((sum, file) => {
    const stat = statSync(join(folder, file));
    return stat.isFile() ? sum + stat.size : sum;
  }, 0);
}
