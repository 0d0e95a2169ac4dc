import { dirname } from "node:path";
import { lintFile, MCIClient, MCIClientError } from "mci-ts";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { projectEnv } from "../project/load.ts";

/** Throws if the name leads to no toolset of the file's library. What is wrong inside the toolset is another matter. */
export async function requireToolset(name: string, file: string, context: Context): Promise<void> {
  const { values: env } = await projectEnv(file, { env: [], dotenv: [] }, context);
  const { libraryDir } = await lintFile(file, { env });
  const reference = { schemaVersion: "1.0", libraryDir, toolsets: [name] };
  try {
    await MCIClient.fromObject(reference, { baseDir: dirname(file), validating: true });
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    // What is wrong in the toolset's own files names them.
    const unknown = error.problems.find((problem) => problem.file === undefined);
    if (unknown === undefined) return;
    const { message, hint = "check the name, or put the toolset there first" } = unknown;
    throw new CliError(message, {
      hint: `${hint}${hint.endsWith("?") ? "" : "."} Nothing was changed; --force adds it all the same.`,
      cause: error,
    });
  }
}
