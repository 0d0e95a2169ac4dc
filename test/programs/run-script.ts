import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface ScriptRun {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const register = fileURLToPath(new URL("register.ts", import.meta.url));
const batch = fileURLToPath(new URL("script-batch.ts", import.meta.url));
/** Far more than any of them needs; a script that hangs must not hang the suite. */
export const SCRIPT_MS = 60_000;
/** For all scripts of a batch together. */
export const BATCH_MS = 240_000;
/** Starts the line behind the output of each script of a batch. */
export const END_OF_SCRIPT = "\u0000end of script";

/** Runs a TypeScript file as a user would, in a process of its own, with the library as it is now. */
export function runScript(file: string, cwd: string): Promise<ScriptRun> {
  return run([file], cwd, SCRIPT_MS);
}

/**
 * Runs them one after another in one process, which loads the packages they share only once. All of them fail if the
 * process does not end by itself after the last. Not for scripts that change what the others see.
 */
export async function runScripts(files: readonly string[], cwd: string): Promise<Map<string, ScriptRun>> {
  const { code, stdout, stderr } = await run([batch, ...files], cwd, BATCH_MS);
  const outputs = [stdout, stderr].map((text) => text.split(END_OF_SCRIPT));
  const ended = code === 0 || code === 1;
  return new Map(
    files.map((file, index) => {
      const [out = "", err = ""] = outputs.map((parts) => parts[index]?.replace(/^ .*\n/, ""));
      const status = /^ (\d+) (\d+)\n/.exec(outputs[0]![index + 1] ?? "");
      const own = status?.[1] === String(index) ? Number(status[2]) : null;
      return [file, { code: ended ? own : code, stdout: out, stderr: err }];
    }),
  );
}

function run(script: readonly string[], cwd: string, timeout: number): Promise<ScriptRun> {
  return new Promise((resolve) => {
    const args = ["--import", register, ...script];
    execFile(process.execPath, args, { cwd, timeout }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr });
    });
  });
}
