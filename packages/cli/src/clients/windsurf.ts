import { join } from "node:path";
import { authorization, envOf, type McpClient } from "./client.ts";

const variable = (name: string) => `\${env:${name}}`;

export const windsurf: McpClient = {
  title: "Windsurf",
  places: ({ home }) => ({ user: join(home, ".codeium", "windsurf", "mcp_config.json") }),
  syntax: "json",
  servers: "mcpServers",
  variable,
  program: ({ command, args, variables }) => ({ command, args, ...envOf(variables, variable) }),
  address: ({ url, token }) => ({ serverUrl: url, ...authorization(token, variable) }),
};
