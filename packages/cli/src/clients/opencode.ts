import { join } from "node:path";
import { authorization, envOf, type McpClient } from "./client.ts";

const variable = (name: string) => `{env:${name}}`;

export const opencode: McpClient = {
  title: "opencode",
  places: ({ cwd, home }) => ({
    project: join(cwd, "opencode.json"),
    user: join(home, ".config", "opencode", "opencode.json"),
  }),
  syntax: "json",
  servers: "mcp",
  variable,
  program: ({ command, args, variables }) => {
    const { env } = envOf(variables, variable);
    return { type: "local", command: [command, ...args], ...(env ? { environment: env } : {}) };
  },
  address: ({ url, token }) => ({ type: "remote", url, ...authorization(token, variable) }),
};
