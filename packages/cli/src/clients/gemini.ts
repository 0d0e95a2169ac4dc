import { join } from "node:path";
import { authorization, envOf, type McpClient } from "./client.ts";

const variable = (name: string) => `\${${name}}`;

export const gemini: McpClient = {
  title: "Gemini CLI",
  places: ({ cwd, home }) => ({
    project: join(cwd, ".gemini", "settings.json"),
    user: join(home, ".gemini", "settings.json"),
  }),
  syntax: "json",
  servers: "mcpServers",
  variable,
  program: ({ command, args, variables }) => ({ command, args, ...envOf(variables, variable) }),
  address: ({ url, token }) => ({ httpUrl: url, ...authorization(token, variable) }),
};
