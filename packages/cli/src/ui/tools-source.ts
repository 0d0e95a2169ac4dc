import { existsSync } from "node:fs";
import type { CallLog, ToolsLogins, ToolsSource, VariableState } from "@mci-ts/console/tools";
import type { LintResult } from "mci-ts";
import { replaceIfUnchanged } from "../edit/replace-if-unchanged.ts";
import { variablesOf } from "../envs/variables.ts";
import type { Environment } from "../project/env.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";
import { checkEnvironment } from "../validate/environment-checks.ts";
import { isPath } from "../validate/which.ts";

export interface ToolsSourceOptions {
  /** Absolute. */
  readonly file: string;
  readonly client: ReloadableClient;
  /** Read again for each use, since env files change. */
  readonly env: () => Promise<Environment>;
  readonly calls: CallLog;
  readonly writable: boolean;
  /** Folder of the plans of code, absolute. */
  readonly plans: string;
  /** Why the first load failed. Default: it did not. */
  readonly loadError?: string;
  readonly logins?: ToolsLogins;
}

/** The file as the console sees it. */
export function createToolsSource(options: ToolsSourceOptions): ToolsSource {
  const { file, client, env, calls, writable } = options;
  const listeners = new Set<() => void>();
  let loadError = options.loadError;
  const lint = async (source?: string): Promise<{ lint: LintResult; env: Environment }> => {
    const [{ lintFile }, environment] = await Promise.all([import("mci-ts"), env()]);
    const text = source === undefined ? {} : { source };
    return { lint: await lintFile(file, { env: environment.values, ...text }), env: environment };
  };
  return {
    file,
    writable,
    calls,
    ...(options.logins && { logins: options.logins }),
    client: () => client.current,
    loadError: () => loadError,
    call: (tool, input, { signal }) => client.use((current) => current.call(tool, input, { signal })),
    plans: (use) =>
      client.use(async (current) => use((await import("mci-ts/code")).openPlans(current, options.plans))),
    async lint(text) {
      const { lint: result, env } = await lint(text);
      // Whether a program exists elsewhere is for `mci validate` to say: a page asks about any text.
      const commands = result.commands.filter(({ command, isInProject }) => isInProject || !isPath(command));
      return { problems: [...result.problems, ...checkEnvironment({ ...result, commands }, env.values)] };
    },
    async variables() {
      const { lint: result, env } = await lint();
      return variablesOf(result.envs, env).map(
        ({ name, isSet, isEmpty, hasFallback, source, usedBy }): VariableState => ({
          name,
          state: isSet ? (isEmpty ? "empty" : "set") : hasFallback ? "optional" : "missing",
          ...(source === undefined ? {} : { source }),
          used_by: usedBy,
        }),
      );
    },
    save: (text, isExpected) => replaceIfUnchanged(file, text, isExpected),
    async reload() {
      try {
        await client.reload();
        loadError = undefined;
      } catch (error) {
        loadError = existsSync(file) ? (error as Error).message : "The file was removed.";
        throw error;
      } finally {
        for (const listener of listeners) listener();
      }
    },
    watch(listener, signal) {
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
    },
  };
}
