import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { homedir, platform } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What the fixture downloads stays outside of the repository: `MCI_LIVE_CACHE`, or a folder in the platform's cache directory. */
export function cacheFolder(): string {
  const { MCI_LIVE_CACHE, XDG_CACHE_HOME, LOCALAPPDATA } = process.env;
  const base =
    platform() === "win32"
      ? (LOCALAPPDATA ?? join(homedir(), "AppData", "Local"))
      : platform() === "darwin"
        ? join(homedir(), "Library", "Caches")
        : XDG_CACHE_HOME || join(homedir(), ".cache");
  const folder = MCI_LIVE_CACHE || join(base, "mci-ts", "live");
  mkdirSync(folder, { recursive: true });
  return folder;
}

const PYTHON = process.env["MCI_LIVE_PYTHON"] || (platform() === "win32" ? "python" : "python3");

/** Runs a program of Python; its last lines of output are part of the error. */
export async function runPython(args: readonly string[], python = PYTHON): Promise<void> {
  try {
    await run(python, [...args], { maxBuffer: 1 << 26 });
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const said = stderr.trim().split("\n").slice(-3).join("\n") || message;
    throw new Error(
      `${python} ${args.slice(0, 3).join(" ")}: ${said}\nThe fixture needs Python 3.10 or newer with pip and venv.`,
    );
  }
}

/** The Python of a virtual environment with these packages, created when it is first used. */
export async function pythonWith(...packages: readonly string[]): Promise<string> {
  const id = createHash("sha256").update(JSON.stringify(packages)).digest("hex").slice(0, 12);
  const folder = join(cacheFolder(), `venv-${id}`);
  const program = platform() === "win32" ? join("Scripts", "python.exe") : join("bin", "python");
  if (!existsSync(join(folder, program))) {
    const partial = `${folder}.${process.pid}`;
    try {
      await runPython(["-m", "venv", partial]);
      await runPython(["-m", "pip", "install", "--quiet", ...packages], join(partial, program));
    } catch (error) {
      rmSync(partial, { recursive: true, force: true });
      throw error;
    }
    // Another process may have been first.
    if (existsSync(folder)) rmSync(partial, { recursive: true });
    else renameSync(partial, folder);
  }
  return join(folder, program);
}
