import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The licences of everything that was bundled from node_modules, as their authors ask for. Empty if nothing was. */
export function licencesOf(modules: Iterable<string>): string {
  const packages = new Map<string, string>();
  for (const module of modules) {
    const folder = module.startsWith("\0") ? undefined : packageFolder(module);
    if (folder !== undefined && !packages.has(folder)) packages.set(folder, notice(folder));
  }
  return [...new Set(packages.values())].sort().join(`\n${"-".repeat(80)}\n\n`);
}

/** The nearest folder with a named package.json, for modules inside node_modules. */
function packageFolder(module: string): string | undefined {
  if (!module.includes("/node_modules/")) return undefined;
  for (let folder = dirname(module); !folder.endsWith("/node_modules"); folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest) && JSON.parse(readFileSync(manifest, "utf8")).name) return folder;
  }
  return undefined;
}

function notice(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|$)/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
