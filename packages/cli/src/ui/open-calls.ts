import { CallLog } from "@mci-ts/console/tools";
import type { Context } from "../command.ts";
import type { Environment } from "../project/env.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";
import { maskVariables } from "./mask-variables.ts";
import { callsFile, openStoredCalls } from "./stored-calls.ts";

/** The calls of this file, those of earlier commands included. Where they cannot be stored they are in memory, and the page says why. */
export async function openCalls(
  file: string,
  {
    client,
    environment,
    context,
  }: {
    readonly client: ReloadableClient;
    readonly environment: () => Promise<Environment>;
    readonly context: Context;
  },
): Promise<CallLog> {
  try {
    const path = callsFile(file, context.env);
    return new CallLog({ store: await openStoredCalls({ path, mask: maskWith(file, client, environment) }) });
  } catch (error) {
    return new CallLog({ storeError: (error as Error).message });
  }
}

/** Masks the values of all variables that the file uses. */
function maskWith(file: string, client: ReloadableClient, environment: () => Promise<Environment>) {
  let names: { readonly of: unknown; readonly list: readonly string[] } | undefined;
  return async <T>(value: T): Promise<T> => {
    const { lintFile } = await import("mci-ts");
    const { values } = await environment();
    // Read again only when the file was loaded again.
    if (names?.of !== client.current) {
      const { envs } = await lintFile(file, { env: values });
      names = { of: client.current, list: [...new Set(envs.map(({ name }) => name))] };
    }
    return maskVariables(values, names.list)(value);
  };
}
