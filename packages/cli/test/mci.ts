import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";

export { temporaryFolder as folder } from "../../../test/temporary-folder.ts";

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  /** Added to a small environment; the tests' own is not handed on. */
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

/** Runs the command as a process of its own, built from the present source. */
export async function mci(args: readonly string[], options: RunOptions): Promise<Finished> {
  const child = spawn(...mciCommand(args, options));
  child.stdin.on("error", () => {}).end(options.stdin ?? "");
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** What to give to `spawn`. */
export function mciCommand(args: readonly string[], { cwd, env = {} }: RunOptions) {
  return [
    process.execPath,
    [program("packages/cli", "bin.cjs"), ...args],
    { cwd, env: { PATH: process.env.PATH, HOME: cwd, ...COMPILE_CACHE, ...env } },
  ] as const satisfies Parameters<typeof spawn>;
}
