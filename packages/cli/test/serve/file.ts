import { fixture } from "./support.ts";

/** The start of a tool's declaration in an MCI file. */
export const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });

export const text = (name: string, template: string, more: object = {}) => ({
  name,
  execution: { type: "text", text: template },
  ...more,
});

/** A tool that runs one of the fixtures. */
export const script = (name: string, fixtureName: string, ...args: string[]) => ({
  name,
  execution: { type: "cli", command: process.execPath, args: [fixture(fixtureName), ...args] },
  enableAnyPaths: true,
});

/** A tool of the upstream MCP server, and the server's entry. */
export const upstream = (name: string, toolName = name) => ({
  name,
  description: `Calls ${toolName}`,
  execution: { type: "mcp", serverName: "upstream", toolName },
});

export const UPSTREAM = {
  upstream: {
    command: process.execPath,
    args: [fixture("upstream.ts")],
    config: { filter: "only", filterValue: "none" },
  },
};
