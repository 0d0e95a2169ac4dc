import type { Diagnostic } from "../load/diagnostics.ts";
import type { McpServer } from "../schema/document.ts";
import type { Tool } from "../schema/tool.ts";
import type { JsonPath } from "../template-api.ts";
import { propertyLookup } from "./input-properties.ts";
import { textInJsonBody } from "./rules/body-types.ts";
import { commandLineWarnings } from "./rules/command-line.ts";
import { credentialLeak } from "./rules/credential-leak.ts";
import { shellInjection } from "./rules/shell-injection.ts";
import { toolNameWarnings } from "./rules/tool-name.ts";
import { unusedProperties } from "./rules/unused-properties.ts";
import { invalidUrl } from "./rules/url.ts";

type Rule<T> = (item: T, place: JsonPath) => readonly Diagnostic[];

/** What a tool is warned about. A new warning is one file and one line here. */
export const TOOL_RULES: readonly Rule<Tool>[] = [
  ({ name }, place) => toolNameWarnings(name, place),
  unusedProperties,
  onExecution("cli", ({ command }, at) => commandLineWarnings(command, at)),
  onExecution("cli", (execution, at, tool) => shellInjection(execution, at, tool.inputSchema)),
  onExecution("http", ({ url }, at) => invalidUrl(url, [...at, "url"])),
  onExecution("http", ({ auth }, at) =>
    auth?.type !== "oauth2"
      ? []
      : (["tokenUrl", "issuer", "authorizationUrl", "deviceAuthorizationUrl"] as const).flatMap((name) => {
          const address = (auth as Partial<Record<typeof name, string>>)[name];
          return address === undefined ? [] : invalidUrl(address, [...at, "auth", name]);
        }),
  ),
  onExecution("http", (execution, at, tool) => credentialLeak(execution, at, tool.inputSchema)),
  onExecution("http", (execution, at, tool) =>
    textInJsonBody(execution, at, propertyLookup(tool.inputSchema)),
  ),
];

/** What an MCP server is warned about. */
export const SERVER_RULES: readonly Rule<McpServer>[] = [
  (server, place) => ("command" in server ? commandLineWarnings(server.command, place) : []),
  (server, place) => ("command" in server ? [] : invalidUrl(server.url, [...place, "url"])),
];

type Execution = Tool["execution"];

function onExecution<T extends Execution["type"]>(
  type: T,
  rule: (execution: Extract<Execution, { type: T }>, at: JsonPath, tool: Tool) => readonly Diagnostic[],
): Rule<Tool> {
  return (tool, place) =>
    tool.execution.type === type
      ? rule(tool.execution as Extract<Execution, { type: T }>, [...place, "execution"], tool)
      : [];
}
