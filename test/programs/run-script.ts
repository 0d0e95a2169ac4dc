import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ScriptRun {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const register = fileURLToPath(new URL("register.ts", import.meta.url));
/** Far more than any of them needs; a script that hangs must not hang the suite. */
export const SCRIPT_MS = 60_000;

/** Runs a TypeScript file as a user would, in a process of its own, with the library as it is now. */
export function runScript(file: string, cwd: string): Promise<ScriptRun> {
  return new Promise((resolve) => {
    const args = ["--import", register, file];
    execFile(process.execPath, args, { cwd, timeout: SCRIPT_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr });
    });
  });
}
