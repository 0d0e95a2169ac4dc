import { createHash } from "node:crypto";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { cached } from "./cache.ts";
import { command } from "./command.ts";
import { type Installed, npmInstall } from "./peers.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Our own packages, built, packed and installed as a user would install them. */
export async function installOurs(): Promise<{ readonly library: Installed; readonly cli: Installed }> {
  const key = sourceHash();
  const packed = await cached("packed", key, async (folder) => {
    await command(process.execPath, ["scripts/build.ts", "packages/mci", "packages/cli"], ROOT);
    for (const name of ["mci", "cli"])
      await command("npm", ["pack", "--silent", "--pack-destination", folder], join(ROOT, "packages", name));
  });
  const install = async (name: string, pattern: string): Promise<Installed> => {
    const tarballs = globSync(pattern, { cwd: packed }).map((file) => join(packed, file));
    return { name, folder: await cached(name, key, (folder) => npmInstall(folder, tarballs)) };
  };
  return {
    library: await install("mci-ts", "mci-ts-[0-9]*.tgz"),
    cli: await install("mci-ts-cli", "mci-ts-cli-*.tgz"),
  };
}

function sourceHash(): string {
  const hash = createHash("sha256");
  const files = globSync(["packages/{mci,cli}/{src,bin}/**/*", "packages/{mci,cli}/package.json"], {
    cwd: ROOT,
    withFileTypes: true,
  });
  for (const entry of files.filter((each) => each.isFile())) {
    const path = join(entry.parentPath, entry.name);
    if (!path.endsWith(".test.ts")) hash.update(path).update(readFileSync(path));
  }
  return hash.digest("hex");
}
