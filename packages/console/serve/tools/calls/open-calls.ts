import { maskVariables } from "../mask-variables.ts";
import { CallLog } from "./call-log.ts";
import { openStoredCalls } from "./stored-calls.ts";

export interface OpenCallsOptions {
  /** The MCI file, absolute. */
  readonly file: string;
  /** Where the database is. */
  readonly path: string;
  /** The environment of the file, read for each call that is stored. */
  readonly env: () => Promise<Readonly<Record<string, string | undefined>>>;
  /** Another value each time the file was loaded again. */
  readonly version: () => unknown;
}

/** The calls of this file, those of earlier processes included. Where they cannot be stored they are in memory, and the page says why. */
export async function openCalls(options: OpenCallsOptions): Promise<CallLog> {
  try {
    return new CallLog({ store: await openStoredCalls({ path: options.path, mask: maskWith(options) }) });
  } catch (error) {
    return new CallLog({ storeError: whyNotStored(error as NodeJS.ErrnoException) });
  }
}

/** An older Node.js has no SQLite. Its own words name a module, and no way on. */
export function whyNotStored({ code, message }: NodeJS.ErrnoException): string {
  return code === "ERR_UNKNOWN_BUILTIN_MODULE"
    ? `that needs Node.js 22.13 or newer, and this is ${process.version}`
    : message;
}

/** Masks the values of all variables that the file uses. */
function maskWith({ file, env, version }: OpenCallsOptions) {
  let names: { readonly of: unknown; readonly list: readonly string[] } | undefined;
  return async <T>(value: T): Promise<T> => {
    const { lintFile } = await import("mci-ts");
    const values = await env();
    // Read again only when the file was loaded again.
    const current = version();
    if (names === undefined || names.of !== current) {
      const { envs } = await lintFile(file, { env: values });
      names = { of: current, list: [...new Set(envs.map(({ name }) => name))] };
    }
    return maskVariables(values, names.list)(value);
  };
}
