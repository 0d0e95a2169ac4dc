import { existsSync } from "node:fs";
import {
  ApiFailure,
  type CallLog,
  type MessageLog,
  maskVariables,
  type SavedTest,
  type TextUse,
  type ToolsLogins,
  type ToolsSource,
  toolsUsing,
  type VariableState,
} from "@mci-ts/console/tools";
import type { LintResult } from "mci-ts";
import { CliError } from "../cli-error.ts";
import { replaceIfUnchanged } from "../edit/replace-if-unchanged.ts";
import { variablesOf } from "../envs/variables.ts";
import type { Environment } from "../project/env.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";
import { checkEnvironment } from "../validate/environment-checks.ts";
import { isPath } from "../validate/which.ts";
import { saveTest } from "./save-test.ts";

export interface ToolsSourceOptions {
  /** Absolute. */
  readonly file: string;
  readonly client: ReloadableClient;
  /** Read again for each use, since env files change. */
  readonly env: () => Promise<Environment>;
  readonly calls: CallLog;
  readonly messages: MessageLog;
  readonly writable: boolean;
  /** Folder of the plans of code, absolute. */
  readonly plans: string;
  /** Values set in the page, by name. Default: none can be set. */
  readonly sessionValues?: Map<string, string>;
  /** Why the first load failed. Default: it did not. */
  readonly loadError?: string;
  readonly logins?: ToolsLogins;
}

/** The file as the console sees it. */
export function createToolsSource(options: ToolsSourceOptions): ToolsSource {
  const { file, client, env, calls, messages, writable, sessionValues } = options;
  const listeners = new Set<() => void>();
  let loadError = options.loadError;
  const lint = async (source?: string): Promise<{ lint: LintResult; env: Environment }> => {
    const [{ lintFile }, environment] = await Promise.all([import("mci-ts"), env()]);
    const text = source === undefined ? {} : { source };
    return { lint: await lintFile(file, { env: environment.values, ...text }), env: environment };
  };
  const reload = async () => {
    try {
      await client.reload();
      loadError = undefined;
    } catch (error) {
      loadError = existsSync(file) ? (error as Error).message : "The file was removed.";
      throw error;
    } finally {
      for (const listener of listeners) listener();
    }
  };
  return {
    file,
    writable,
    calls,
    messages,
    ...(options.logins && { logins: options.logins }),
    client: () => client.current,
    loadError: () => loadError,
    use: (work) => client.use(work),
    call: (tool, input, options) => client.use((current) => current.call(tool, input, options)),
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
        ({ name, isSet, isEmpty, hasFallback, source, usedBy, uses }): VariableState => ({
          name,
          state: isSet ? (isEmpty ? "empty" : "set") : hasFallback ? "optional" : "missing",
          ...(source === undefined ? {} : { source }),
          used_by: usedBy,
          tools: toolsUsing(uses, result.tools),
        }),
      );
    },
    save: (text, isExpected) => replaceIfUnchanged(file, text, isExpected).catch(sayConflict),
    reload,
    async restartServer(name, signal) {
      try {
        await client.use((current) => current.restartMcpServer(name, { signal }));
      } finally {
        for (const listener of listeners) listener();
      }
    },
    ...(writable && {
      async saveTest(test: SavedTest) {
        const { lint: result, env } = await lint();
        const names = result.envs.map(({ name }) => name);
        return saveTest(file, test, maskVariables(env.values, names)).catch(sayConflict);
      },
      async withText<T>(text: string, use: TextUse<T>) {
        const { MCIClient } = await import("mci-ts");
        const { values } = await env();
        const edited = await MCIClient.load(file, { env: values, source: text, fetchMcpTools: false });
        // Whatever the text declares as public: it is not the file's yet. A computed name may be any.
        const read = unescaped(text);
        const isComputed = /env\s*\[/.test(read);
        const names = Object.keys(values).filter((name) => isComputed || read.includes(name));
        try {
          return await use(edited, maskVariables(values, names));
        } finally {
          await edited.close();
        }
      },
    }),
    ...(sessionValues && {
      async setVariable(name: string, value: string | undefined) {
        if (value === undefined) sessionValues.delete(name);
        else sessionValues.set(name, value);
        await reload().catch(() => {});
      },
    }),
    watch(listener, signal) {
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
    },
  };
}

/** Another process has the file's lock. Any other error is not the page's to know. */
function sayConflict(error: unknown): never {
  if (!(error instanceof CliError)) throw error;
  throw new ApiFailure(409, "locked", [error.message, error.hint ?? ""].join(" ").trim());
}

/** As a parser reads it: in JSON and YAML a name may be written with escapes, and in YAML over two lines. */
function unescaped(text: string): string {
  return text
    .replace(/\\\r?\n\s*/g, "")
    .replace(/\\(?:u([0-9a-f]{4})|x([0-9a-f]{2})|U([0-9a-f]{8}))/gi, (written, ...codes) => {
      const code = Number.parseInt(
        codes.find((one) => one !== undefined),
        16,
      );
      return code <= 0x10ffff ? String.fromCodePoint(code) : written;
    });
}
