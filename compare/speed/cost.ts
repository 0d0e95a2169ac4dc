import { globSync, lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { command } from "../prepare/command.ts";
import type { Installed } from "../prepare/peers.ts";

export interface Cost {
  readonly name: string;
  readonly packages: number;
  readonly bytes: number;
}

/** What an installation in node_modules takes. */
export function npmCost({ name, folder }: Installed): Cost {
  const modules = join(folder, "node_modules");
  const { packages } = JSON.parse(readFileSync(join(modules, ".package-lock.json"), "utf8"));
  return { name, packages: Object.keys(packages).length, bytes: size(modules, () => true) };
}

/** What an installation in a virtual environment takes, without what every environment has. */
export async function pythonCost({ name, folder }: Installed): Promise<Cost> {
  const ALWAYS = /^(pip|setuptools|pkg_resources|_distutils_hack|distutils-precedence)\b/;
  const list = await command(
    join(folder, "bin/python"),
    ["-m", "pip", "list", "--format=json", "--disable-pip-version-check"],
    folder,
  );
  const packages = (JSON.parse(list) as { name: string }[]).filter((each) => !ALWAYS.test(each.name));
  const [site] = globSync("lib/python*/site-packages", { cwd: folder });
  const bytes = size(join(folder, site ?? "lib"), (path) => !ALWAYS.test(path));
  return { name, packages: packages.length, bytes };
}

function size(folder: string, counts: (path: string) => boolean): number {
  const files = globSync("**/*", { cwd: folder, withFileTypes: true }).filter((entry) => entry.isFile());
  return files
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => counts(path.slice(folder.length + 1)))
    .reduce((sum, path) => sum + lstatSync(path).size, 0);
}
