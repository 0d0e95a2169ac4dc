import { join } from "node:path";
import { type McpClient, typedEntries } from "./client.ts";

/** VS Code asks for the value once and stores it. */
const variable = (name: string) => `\${input:${name}}`;

export const vscode: McpClient = {
  title: "VS Code",
  places: ({ cwd, settings }) => ({
    project: join(cwd, ".vscode", "mcp.json"),
    user: join(settings, "Code", "User", "mcp.json"),
  }),
  syntax: "json",
  servers: "servers",
  variable,
  // biome-ignore lint/suspicious/noTemplateCurlyInString: a placeholder of the client
  projectFolder: "${workspaceFolder}",
  ...typedEntries(variable),
  inputs: (variables) =>
    variables.map(({ name, description, isSecret }) => ({
      type: "promptString",
      id: name,
      description,
      ...(isSecret ? { password: true } : {}),
    })),
};
