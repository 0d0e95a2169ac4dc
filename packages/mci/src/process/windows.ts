import { win32 } from "node:path";

/**
 * What starting a program takes on Windows beyond what the system does by itself: finding `npm` as `npm.cmd`, and
 * running such batch files, which only cmd.exe can. Pure functions, so that they can be tested anywhere.
 */

export type Environment = Readonly<Record<string, string | undefined>>;

/** The program's full path, by PATH and PATHEXT; undefined if there is none. Never from the working directory by bare name. */
export function findWindowsProgram(
  command: string,
  cwd: string,
  env: Environment,
  isFile: (path: string) => boolean,
): string | undefined {
  const extensions = (variable(env, "PATHEXT") ?? ".COM;.EXE;.BAT;.CMD")
    .split(";")
    .filter((extension) => extension !== "");
  const hasFolder = /[\\/]|^[a-z]:/i.test(command);
  const folders = hasFolder
    ? [cwd]
    : (variable(env, "PATH") ?? "").split(";").filter((folder) => folder !== "");
  const hasExtension = extensions.some((extension) =>
    command.toUpperCase().endsWith(extension.toUpperCase()),
  );
  for (const folder of folders) {
    const path = win32.resolve(cwd, folder.replaceAll('"', ""), command);
    const names = hasExtension ? [path] : extensions.map((extension) => path + extension);
    const found = names.find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Windows drops trailing dots and spaces, so `x.bat.` is a batch file too. */
export function isBatchFile(path: string): boolean {
  return /\.(bat|cmd)[. ]*$/i.test(path);
}

/**
 * The command line for cmd.exe that runs a batch file, to be passed verbatim; undefined if an argument cannot be passed
 * safely. Everything is quoted. A quote would end the quoting, a percent sign is replaced even inside quotes, and a line
 * break ends the command; none of them can be escaped reliably, because batch files parse their arguments again.
 */
export function batchCommandLine(file: string, args: readonly string[]): string | undefined {
  const words = [file, ...args];
  if (words.some((word) => /["%\r\n\0]/.test(word))) return undefined;
  // A backslash before the closing quote would escape it for the program behind the batch file.
  return `"${words.map((word) => `"${word}${trailingBackslashes(word)}"`).join(" ")}"`;
}

function trailingBackslashes(word: string): string {
  let start = word.length;
  while (word[start - 1] === "\\") start--;
  return word.slice(start);
}

/** Names of variables have no case on Windows. */
export function variable(env: Environment, name: string): string | undefined {
  const key = Object.keys(env).find((key) => key.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}
