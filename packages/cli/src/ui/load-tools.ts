import type { LoadOptions, MCIClient } from "mci-ts";
import type { Context } from "../command.ts";
import { loadWithProgress } from "../project/load.ts";
import { ReloadableClient } from "../serve/reloadable-client.ts";

export interface LoadedTools {
  readonly client: ReloadableClient;
  /** Why the file could not be loaded; it has no tools then. */
  readonly loadError?: string;
}

/** Loads the file for the console. One that is broken opens without tools, so that it can be repaired there. */
export async function loadTools(
  file: string,
  options: () => Promise<LoadOptions>,
  context: Context,
): Promise<LoadedTools> {
  let isFirst = true;
  let loadError: string | undefined;
  const load = async (): Promise<MCIClient> => loadWithProgress(file, await options(), context);
  const client = await ReloadableClient.open(async () => {
    if (!isFirst) return load();
    isFirst = false;
    return load().catch(async (error: Error) => {
      if (context.signal.aborted) throw error;
      loadError = error.message;
      const { MCIClient } = await import("mci-ts");
      return MCIClient.fromObject({ schemaVersion: "1.0", tools: [] });
    });
  });
  return { client, ...(loadError === undefined ? {} : { loadError }) };
}
