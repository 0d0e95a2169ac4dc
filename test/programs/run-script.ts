import { execFile } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

export interface ScriptRun {
  readonly code: number | string | null;
  readonly stdout: string;
  readonly stderr: string;
}

const register = fileURLToPath(new URL("register.ts", import.meta.url));
const batch = fileURLToPath(new URL("script-batch.ts", import.meta.url));
/** Far more than they need together; a script that hangs must not hang the suite. */
export const BATCH_MS = 240_000;
/** Starts the line behind the output of each script of a batch. */
export const END_OF_SCRIPT = "\u0000end of script";

/**
 * Runs TypeScript files as a user would, in this folder or each in its own, with the library as it is now: one after
 * another in one process, which loads the packages they share only once. All of them fail if the process does not end by
 * itself after the last. Files to preload are loaded before the first. Not for scripts that change what the others see.
 */
export async function runScripts(
  files: readonly string[],
  { cwd, preload = [] }: { cwd?: string; preload?: readonly string[] } = {},
): Promise<Map<string, ScriptRun>> {
  const scripts = files.flatMap((file) => [cwd ?? dirname(file), file]);
  const { code, stdout, stderr } = await run(scripts, [register, ...preload]);
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

function run(scripts: readonly string[], imports: readonly string[]): Promise<ScriptRun> {
  return new Promise((resolve) => {
    const args = [...imports.flatMap((file) => ["--import", file]), batch, ...scripts];
    execFile(process.execPath, args, { timeout: BATCH_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? error.signal ?? null), stdout, stderr });
    });
  });
}
