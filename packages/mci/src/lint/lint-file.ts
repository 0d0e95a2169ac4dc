import type { LintOptions, LintResult } from "./result.ts";

/**
 * Everything that is wrong or doubtful in a file. Never throws for what the file says; it is all in `problems`. Programs that only call
 * tools do not load the rules.
 */
export async function lintFile(path: string | URL, options?: LintOptions): Promise<LintResult> {
  return (await import("./lint.ts")).lintFile(path, options);
}
