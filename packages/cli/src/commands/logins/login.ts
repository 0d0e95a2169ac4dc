import type { MCIClient } from "mci-ts";
import { usageError } from "../../cli-error.ts";
import { command } from "../../command.ts";
import { logIn } from "../../login/log-in.ts";
import { oneLine } from "../../print/escape-controls.ts";
import { discoverFile } from "../../project/discover.ts";
import { loadClient, loginCommand } from "../../project/load.ts";
import { loginStore } from "../../project/login-store.ts";
import { ENV, FILE } from "../../project/options.ts";

export default command({
  summary: "Log in to an MCP server or an API that asks for it.",
  details:
    "Opens the login page in the browser and prints its address. What the server gives is stored for this user only, outside the\n" +
    "project, and renewed when it expires; 'mci logins' lists it, 'mci logout' removes it. No token is ever printed.",
  operands: [
    { name: "NAME", help: "A name under mcp_servers, or of an API's login. Default: the only one." },
  ],
  options: {
    "no-browser": { type: "boolean", help: "Only print the address." },
    paste: {
      type: "boolean",
      help: "Where the browser cannot reach this machine: paste the address that it ends at.",
    },
    device: {
      type: "boolean",
      help: "On a machine without a browser: prints a code for another device, where the server offers that.",
    },
    ...FILE,
    ...ENV,
  },
  examples: [
    { command: "mci login linear", about: "The server 'linear' of the file" },
    { command: "mci login linear --device", about: "On a machine without a browser" },
    { command: "mci login linear --paste", about: "The same, where the server has no codes for devices" },
  ],
  async run({ values, operands: [operand] }, context) {
    const file = discoverFile(values.file, context.cwd);
    const store = loginStore(context.env);
    return logIn(
      { store, isPasted: values.paste, opensBrowser: !values["no-browser"], name: operand },
      context,
      async ({ onAuthorize, onDeviceCode, signal, ...auth }) => {
        await using client = await loadClient(file, values, context, { fetchMcpTools: false, auth });
        const name = operand ?? onlyOne(client, loginCommand(file, context.cwd));
        await client.login(
          name,
          values.device ? { onDeviceCode, signal } : { onAuthorize, onDeviceCode, signal },
        );
        return name;
      },
    );
  },
});

function onlyOne(client: MCIClient, command: (name: string) => string): string {
  const names = client.loginNames();
  if (names.length === 1) return names[0]!;
  // Its settings cannot be read yet, so it is not among the names: the client says why.
  const unreadable = client.tools().find(({ execution }) => {
    const auth = execution.type === "http" ? execution.auth : undefined;
    return auth?.type === "oauth2" && (auth.flow === "authorizationCode" || auth.flow === "deviceCode");
  });
  if (names.length === 0 && unreadable !== undefined) return unreadable.name;
  if (names.length === 0)
    throw usageError(
      "The file has nothing to log in to.",
      "A server with a url under mcp_servers, or an http tool with auth of flow authorizationCode or deviceCode, has a login.",
    );
  throw usageError("Which login?", `Write ${names.map((name) => oneLine(command(name))).join(", or ")}`);
}
