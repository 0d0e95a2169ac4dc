import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../command.ts";
import type { Folders, McpClient } from "./client.ts";
import { CLIENTS } from "./clients.ts";

/** Two clients have this name, and an import looks for both. */
const CLAUDE = ["claude-desktop", "claude-code"];

/** The names that `mci import mcp-config` accepts. */
export const CLIENT_NAMES: readonly string[] = ["claude", ...Object.keys(CLIENTS)];

/** Where the configuration of a client may be, and which of these files exist; undefined: no client has that name. */
export function findConfiguration(
  name: string,
  context: Pick<Context, "cwd" | "env">,
  platform: string = process.platform,
): { readonly places: readonly string[]; readonly found: readonly string[] } | undefined {
  const names = name.toLowerCase() === "claude" ? CLAUDE : [name.toLowerCase()];
  if (!names.every((each) => Object.hasOwn(CLIENTS, each))) return undefined;
  const places = names.flatMap((each) => placesOf(CLIENTS[each]!, foldersOf(context, platform)));
  return { places, found: places.filter((place) => existsSync(place)) };
}

/** The configuration of the project comes before that of the user. */
function placesOf(client: McpClient, folders: Folders): string[] {
  const { project, user } = client.places(folders);
  return [project, user].filter((place) => place !== undefined);
}

/** The folders in which clients look for their configuration. */
export function foldersOf(
  { cwd, env }: Pick<Context, "cwd" | "env">,
  platform: string = process.platform,
): Folders {
  const home = env.HOME ?? env.USERPROFILE ?? cwd;
  const settings =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? (env.APPDATA ?? join(home, "AppData", "Roaming"))
        : (env.XDG_CONFIG_HOME ?? join(home, ".config"));
  return { cwd, home, settings };
}
