import { join } from "node:path";
import type { McpClient } from "./client.ts";

/** Starts programs only, and passes their variables on as they are written. */
export const claudeDesktop: McpClient = {
  title: "Claude Desktop",
  places: ({ settings }) => ({ user: join(settings, "Claude", "claude_desktop_config.json") }),
  syntax: "json",
  servers: "mcpServers",
  program: ({ command, args }) => ({ command, args }),
};
