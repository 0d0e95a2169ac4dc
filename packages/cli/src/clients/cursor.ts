import { join } from "node:path";
import { authorization, envOf, type McpClient } from "./client.ts";

const variable = (name: string) => `\${env:${name}}`;

export const cursor: McpClient = {
  title: "Cursor",
  places: ({ cwd, home }) => ({
    project: join(cwd, ".cursor", "mcp.json"),
    user: join(home, ".cursor", "mcp.json"),
  }),
  syntax: "json",
  servers: "mcpServers",
  variable,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the client
  projectFolder: "${workspaceFolder}",
  program: ({ command, args, variables }) => ({ command, args, ...envOf(variables, variable) }),
  address: ({ url, token }) => ({ url, ...authorization(token, variable) }),
};
