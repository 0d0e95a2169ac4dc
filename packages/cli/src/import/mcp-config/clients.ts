import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../command.ts";

/** Where a client keeps its configuration: in the project, or for the user. */
type Places = (folders: Folders) => readonly string[];

interface Folders {
  readonly cwd: string;
  readonly home: string;
  /** Where programs of this system keep their settings. */
  readonly settings: string;
}

const desktop: Places = ({ settings }) => [join(settings, "Claude", "claude_desktop_config.json")];
const code: Places = ({ cwd, home }) => [join(cwd, ".mcp.json"), join(home, ".claude.json")];

/** Clients by name. The configuration of the project comes before that of the user. */
const CLIENTS: Readonly<Record<string, Places>> = {
  claude: (folders) => [...desktop(folders), ...code(folders)],
  "claude-desktop": desktop,
  "claude-code": code,
  cursor: ({ cwd, home }) => [join(cwd, ".cursor", "mcp.json"), join(home, ".cursor", "mcp.json")],
  vscode: ({ cwd, settings }) => [
    join(cwd, ".vscode", "mcp.json"),
    join(settings, "Code", "User", "mcp.json"),
  ],
  windsurf: ({ home }) => [join(home, ".codeium", "windsurf", "mcp_config.json")],
  gemini: ({ cwd, home }) => [join(cwd, ".gemini", "settings.json"), join(home, ".gemini", "settings.json")],
  zed: ({ home }) => [join(home, ".config", "zed", "settings.json")],
};

export const CLIENT_NAMES = Object.keys(CLIENTS);

/** Where the configuration of a client may be, and which of these files exist; undefined: no client has that name. */
export function findConfiguration(
  client: string,
  { cwd, env }: Pick<Context, "cwd" | "env">,
  platform: string = process.platform,
): { readonly places: readonly string[]; readonly found: readonly string[] } | undefined {
  if (!Object.hasOwn(CLIENTS, client.toLowerCase())) return undefined;
  const home = env.HOME ?? env.USERPROFILE ?? cwd;
  const settings =
    platform === "darwin"
      ? join(home, "Library", "Application Support")
      : platform === "win32"
        ? (env.APPDATA ?? join(home, "AppData", "Roaming"))
        : (env.XDG_CONFIG_HOME ?? join(home, ".config"));
  const places = CLIENTS[client.toLowerCase()]!({ cwd, home, settings });
  return { places, found: places.filter((place) => existsSync(place)) };
}
