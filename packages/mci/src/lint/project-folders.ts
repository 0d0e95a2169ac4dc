import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { PathRules } from "../execute/executor.ts";
import { isAllowed, realPath } from "../execute/paths.ts";
import type { LintOptions } from "./result.ts";

/** What lint may read, as path rules. A document can narrow it, never widen it: the text may be a stranger's. */
export function projectRules(baseDir: string, folders: LintOptions["folders"] = []): PathRules {
  if (folders === "any") return { baseDir, enableAnyPaths: true, directoryAllowList: [] };
  return { baseDir, enableAnyPaths: false, directoryAllowList: [repositoryOf(baseDir), ...folders] };
}

/** Whether a path, its symbolic links resolved, may be read. The same for what exists and what does not. */
export function mayRead(rules: PathRules): (path: string) => boolean {
  return (path) => isAllowed(realPath(path).real, rules);
}

/**
 * The repository that holds the folder: toolsets shared by several files often lie beside their folders. A home directory
 * under version control does not count, since it holds much more than a project.
 */
function repositoryOf(baseDir: string): string {
  const home = homedir();
  for (let folder = baseDir; folder !== home && folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, ".git"))) return folder;
  return baseDir;
}
