import type { MCIClient } from "mci-ts";
import type { ServerState } from "./types.ts";

/** The MCP servers of the file: whether each is connected, its tools, why it failed, what it printed last. */
export function serverStates(client: MCIClient): ServerState[] {
  const counts = new Map<string, number>();
  for (const { execution } of client.tools()) {
    if (execution.type === "mcp")
      counts.set(execution.serverName, (counts.get(execution.serverName) ?? 0) + 1);
  }
  return client
    .mcpServers()
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, transport, state, stderr }) => {
      const message = client.warnings.find(({ path }) => path === `mcp_servers.${name}`)?.message;
      return {
        name,
        transport,
        state: message !== undefined && state === "not_started" ? "failed" : state,
        tools: counts.get(name) ?? 0,
        ...(message === undefined ? {} : { message }),
        ...(stderr ? { stderr } : {}),
      };
    });
}
