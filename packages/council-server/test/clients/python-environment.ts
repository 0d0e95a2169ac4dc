import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * The Python of a virtual environment that has the packages, made once per machine in the folder for temporary files. A string
 * starting with "skipped" says why there is none.
 */
export async function pythonWith(...packages: readonly string[]): Promise<string> {
  const folder = join(tmpdir(), `council-python-${packages.join("-").replace(/[^\w.-]/g, "")}`);
  const python = (root: string) =>
    process.platform === "win32" ? join(root, "Scripts", "python.exe") : join(root, "bin", "python");
  if (existsSync(join(folder, "complete"))) return python(folder);
  const made = mkdtempSync(`${folder}-`);
  try {
    await run(process.platform === "win32" ? "python" : "python3", ["-m", "venv", made], {
      timeout: 120_000,
    });
    // Most modules are never imported: those that are get compiled then.
    const options = ["--quiet", "--disable-pip-version-check", "--no-compile"];
    const install = ["-m", "pip", "install", ...options, ...packages];
    await run(python(made), install, { timeout: 300_000 });
  } catch (error) {
    rmSync(made, { recursive: true, force: true });
    return `skipped: no Python with ${packages.join(", ")} (${(error as Error).message.split("\n")[0]})`;
  }
  writeFileSync(join(made, "complete"), "");
  try {
    // Scripts in the folder name their old place, but its Python finds its packages by its own.
    renameSync(made, folder);
    return python(folder);
  } catch {
    return python(made);
  }
}
