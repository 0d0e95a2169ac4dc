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
  const isPath = command.includes("/") || (isWindows && /[\\:]/.test(command));
  const folders = isPath
    ? [cwd]
    : (variable(env, "PATH", isWindows) ?? "").split(delimiter).filter((folder) => folder !== "");
  return folders.some((folder) =>
    extensions.some((extension) =>
      isProgram(isPath ? resolve(folder, command + extension) : join(folder, command + extension)),
    ),
  );
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
