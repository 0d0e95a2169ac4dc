import { join } from "node:path";
import { type McpClient, typedEntries } from "./client.ts";

const variable = (name: string) => `\${${name}}`;

export const claudeCode: McpClient = {
  title: "Claude Code",
  places: ({ cwd, home }) => ({ project: join(cwd, ".mcp.json"), user: join(home, ".claude.json") }),
  syntax: "json",
  servers: "mcpServers",
  variable,
  // Servers of a project start in its folder.
  projectFolder: ".",
  ...typedEntries(variable),
};
