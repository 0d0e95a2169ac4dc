import { closeSync, constants, openSync, statSync } from "node:fs";
import { ToolError } from "../../errors.ts";
import { openedPath } from "../../opened-path.ts";
import { OMITTED, type TemplateString } from "../../template-api.ts";
import { type RuledCall, ruledPath } from "../caller-paths.ts";
import type { Call, PathRules } from "../executor.ts";
import { displayPath, isAllowed, pathRefused, resolvePath } from "../paths.ts";

export interface WorkingDirectory {
  readonly path: string;
  /** undefined where the author chose no directory: nothing is to be checked then. */
  readonly rules?: PathRules;
}

export function workingDirectory(
  template: TemplateString | undefined,
  call: RuledCall & Pick<Call, "scope">,
): WorkingDirectory {
  const { baseDir } = call.paths;
  const parts = template?.parts(call.scope) ?? [];
  const { path: setting, rules } = ruledPath(parts === OMITTED ? [] : parts, call);
  const path = setting === "" ? baseDir : resolvePath(setting, rules);
  if (isDirectory(path)) return setting === "" ? { path } : { path, rules };
  const display = setting === "" ? path : displayPath(setting, baseDir);
  throw new ToolError("invalid_config", `The working directory does not exist: ${display}`);
}

function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** Names a directory without opening it for reading, which needs fewer rights. Only Linux has it. */
const O_PATH = process.platform === "linux" ? 0o10000000 : 0;
const FLAGS = constants.O_RDONLY | (constants.O_DIRECTORY ?? 0) | (constants.O_NOFOLLOW ?? 0) | O_PATH;

/**
 * Runs `start` with a path that leads to the checked directory itself, even if its name leads elsewhere meanwhile. `start`
 * must have entered it when it returns. Where the system does not say what was opened, it gets the name.
 */
export function inDirectory<T>({ path, rules }: WorkingDirectory, start: (path: string) => T): T {
  if (rules === undefined || process.platform !== "linux") return start(path);
  const fd = openDirectory(path);
  try {
    const opened = openedPath(fd);
    if (opened === undefined) return start(path);
    if (opened !== path && !isAllowed(opened, rules)) throw pathRefused(path);
    return start(`/proc/${process.pid}/fd/${fd}`);
  } finally {
    closeSync(fd);
  }
}

function openDirectory(path: string): number {
  try {
    return openSync(path, FLAGS);
  } catch {
    // It was there a moment ago.
    throw pathRefused(path);
  }
}
