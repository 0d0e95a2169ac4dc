import { join } from "node:path";
import type { McpClient } from "./client.ts";

/** Takes its settings as they are written. */
export const zed: McpClient = {
  title: "Zed",
  places: ({ cwd, home }) => ({
    project: join(cwd, ".zed", "settings.json"),
    user: join(home, ".config", "zed", "settings.json"),
  }),
  syntax: "json",
  servers: "context_servers",
  program: ({ command, args }) => ({ source: "custom", command, args }),
  address: ({ url }) => ({ source: "custom", url }),
};
