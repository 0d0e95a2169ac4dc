import { closestMatch } from "@mci-ts/primitives/closest-match";
import type { Tool } from "../../schema/tool.ts";
import type { JsonPath } from "../../template-api.ts";
import type { Diagnostic } from "../diagnostics.ts";

/** Tools that call an undeclared server. They load, and fail when they are called. */
export function unknownServers(
  tools: readonly { readonly tool: Tool; readonly place: JsonPath }[],
  servers: readonly string[],
): Diagnostic[] {
  return tools.flatMap(({ tool: { execution }, place }): Diagnostic[] => {
    if (execution.type !== "mcp" || servers.includes(execution.serverName)) return [];
    const suggestion = closestMatch(execution.serverName, servers);
    return [
      {
        place: [...place, "execution", "serverName"],
        message: `MCP server '${execution.serverName}' not registered in main schema`,
        ...(suggestion === undefined ? {} : { hint: `did you mean '${suggestion}'?` }),
        severity: "warning",
      },
    ];
  });
}
