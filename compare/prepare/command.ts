import { execFile } from "node:child_process";
import { promisify } from "node:util";

const MINUTES = 5;

/** Runs a program to its end and gives its output; fails with the last lines it wrote. */
export async function command(program: string, args: readonly string[], cwd: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(program, args, {
      cwd,
      timeout: MINUTES * 60_000,
      maxBuffer: 2 ** 26,
    });
    return stdout;
  } catch (error) {
    const { stderr = "", message } = error as Error & { stderr?: string };
    const said = (stderr || message).trim().split("\n").filter(isTelling).slice(-3).join(" / ");
    throw new Error(`${program} ${args.slice(0, 2).join(" ")}: ${said}`);
  }
}

/** npm ends with where its log lies and warns about what it was configured with: neither is the reason. */
function isTelling(line: string): boolean {
  return line.trim() !== "" && !/complete log|npm warn|^npm error 404 *$/.test(line);
}
