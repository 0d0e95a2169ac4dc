import { join } from "node:path";
import type { McpClient } from "./client.ts";

/** Names the variables that it passes on, instead of placeholders. */
export const codex: McpClient = {
  title: "Codex",
  places: ({ cwd, home }) => ({
    project: join(cwd, ".codex", "config.toml"),
    user: join(home, ".codex", "config.toml"),
  }),
  syntax: "toml",
  servers: "mcp_servers",
  variable: (name) => name,
  program: ({ command, args, variables }) => ({
    command,
    args,
    ...(variables.length > 0 ? { env_vars: variables.map(({ name }) => name) } : {}),
  }),
  address: ({ url, token }) => ({ url, ...(token === undefined ? {} : { bearer_token_env_var: token }) }),
};
