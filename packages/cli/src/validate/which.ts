import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join, resolve } from "node:path";

/** Whether a program can be started from there: a path as it is, a bare name on PATH. */
export function canStart(
  command: string,
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  platform: NodeJS.Platform = process.platform,
): boolean {
  const isWindows = platform === "win32";
  const extensions = isWindows ? ["", ...(env.PATHEXT ?? ".COM;.EXE;.BAT;.CMD").split(";")] : [""];
  const isFile = isPath(command, platform);
  const folders = isFile
    ? [cwd]
    : (variable(env, "PATH", isWindows) ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) =>
    extensions.some((extension) =>
      isProgram(isFile ? resolve(folder, command + extension) : join(folder, command + extension)),
    ),
  );
}

/** Whether a command names a file, and is not looked for on PATH. */
export function isPath(command: string, platform: NodeJS.Platform = process.platform): boolean {
  return command.includes("/") || (platform === "win32" && /[\\:]/.test(command));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** On Windows the case of names does not matter: it is mostly `Path` there. */
function variable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
  isWindows: boolean,
): string | undefined {
  if (!isWindows) return env[name];
  const key = Object.keys(env).find((candidate) => candidate.toUpperCase() === name);
  return key === undefined ? undefined : env[key];
}
