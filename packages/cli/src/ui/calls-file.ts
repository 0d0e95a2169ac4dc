import { createHash } from "node:crypto";
import { realpathSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { CallLog, openCalls } from "@mci-ts/console/tools";
import type { Context } from "../command.ts";
import type { Environment } from "../project/env.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";

export interface CallsOptions {
  readonly client: ReloadableClient;
  readonly environment: () => Promise<Environment>;
  readonly context: Pick<Context, "env">;
  /** False: nothing is written, and nothing of before is listed. */
  readonly isStored: boolean;
}

/** The calls of a file, those of earlier commands included. */
export async function callsOf(
  file: string,
  { client, environment, context, isStored }: CallsOptions,
): Promise<CallLog> {
  if (!isStored) return new CallLog();
  return openCalls({
    file,
    path: callsFile(file, context.env),
    env: async () => (await environment()).values,
    version: () => client.current,
  });
}

/** Where the calls of an MCI file are stored: in the platform's folder for state, not in the project, where they might be committed. */
export function callsFile(
  file: string,
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): string {
  const home = env["HOME"] || homedir();
  const base =
    platform === "win32"
      ? (env["LOCALAPPDATA"] ?? join(home, "AppData", "Local"))
      : platform === "darwin"
        ? join(home, "Library", "Application Support")
        : env["XDG_STATE_HOME"] || join(home, ".local", "state");
  const name = createHash("sha256").update(realOf(file)).digest("hex").slice(0, 24);
  return join(base, "mci", "calls", `${name}.db`);
}

/** The same file by another path has the same calls. */
function realOf(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return file;
  }
}
