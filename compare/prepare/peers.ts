import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cached } from "./cache.ts";
import { command } from "./command.ts";

/** What is pinned in peers.json. */
export const pins: {
  readonly python: Readonly<Record<string, readonly string[]>>;
  readonly npm: Readonly<Record<string, readonly string[]>>;
  /** What to know about an installation. */
  readonly notes: Readonly<Record<string, string>>;
} = JSON.parse(readFileSync(new URL("../peers.json", import.meta.url), "utf8"));

export interface Installed {
  readonly name: string;
  readonly folder: string;
}

export interface Skipped {
  readonly name: string;
  readonly reason: string;
}

/** A virtual environment with what is pinned for this name. */
export function installPython(name: string): Promise<Installed | Skipped> {
  const packages = pins.python[name] ?? [];
  return attempt(name, ["python", packages], async (folder) => {
    await command("python3", ["-m", "venv", "."], folder);
    await command(
      join(folder, "bin/pip"),
      ["install", "--quiet", "--disable-pip-version-check", ...packages],
      folder,
    );
  });
}

/** A folder whose node_modules hold what is pinned for this name. */
export function installNpm(name: string): Promise<Installed | Skipped> {
  const packages = pins.npm[name] ?? [];
  return attempt(name, ["npm", packages], (folder) => npmInstall(folder, packages));
}

export async function npmInstall(folder: string, packages: readonly string[]): Promise<void> {
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  // With --prefix npm stays in this folder: it would otherwise take the repository around it for its project.
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"];
  await command("npm", ["install", "--prefix", folder, ...quiet, ...packages], folder);
}

async function attempt(
  name: string,
  key: unknown,
  fill: (folder: string) => Promise<void>,
): Promise<Installed | Skipped> {
  try {
    return { name, folder: await cached(name, key, fill) };
  } catch (error) {
    return { name, reason: (error as Error).message };
  }
}

export function isInstalled(peer: Installed | Skipped): peer is Installed {
  return "folder" in peer;
}
