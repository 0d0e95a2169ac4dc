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
    const lines = (stderr || message).trim().split("\n");
    const said = lines.find((line) => REASON.test(line)) ?? lines.at(-1) ?? "";
    // Which registry was asked is this machine's affair.
    throw new Error(`${program} ${args[0]}: ${said.trim().replace(/https?:\/\/\S+/g, "the registry")}`);
  }
}

/** The line in which npm and pip give the reason, among all that they say around it. */
const REASON = /not found|no matching|could not|cannot|error:|refused|ENOTFOUND|ETIMEDOUT/i;
