import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { statSync } from "node:fs";
import { ToolError } from "../errors.ts";
import { batchCommandLine, findWindowsProgram, isBatchFile, variable } from "./windows.ts";

export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** Starts a program, without a shell, such that it can be ended with everything it starts itself. */
export function startProcess(
  { command, args, cwd, env }: CommandLine,
  stdio: SpawnOptions["stdio"],
): ChildProcess {
  const options: SpawnOptions = { cwd, env, stdio };
  // A group of its own, so that all of it can be ended; and no terminal that it could ask for a password.
  if (process.platform !== "win32") return spawn(command, args, { ...options, detached: true });
  const program = findWindowsProgram(command, cwd, env, isFile);
  if (program === undefined) throw Object.assign(new Error(`spawn ${command} ENOENT`), { code: "ENOENT" });
  if (!isBatchFile(program)) return spawn(program, args, { ...options, windowsHide: true });
  const line = batchCommandLine(program, args);
  if (line === undefined) {
    throw new ToolError(
      "invalid_config",
      `${command} is a batch file, and an argument with a quote, a percent sign or a line break cannot be passed to one ` +
        "safely. Name the program that the batch file starts instead.",
    );
  }
  const shell = variable(env, "ComSpec") ?? "cmd.exe";
  return spawn(shell, ["/d", "/s", "/c", line], {
    ...options,
    windowsHide: true,
    windowsVerbatimArguments: true,
  });
}

function isFile(path: string): boolean {
  try {
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
