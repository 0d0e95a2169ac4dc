import { fixture } from "./support.ts";

/** The start of a tool's declaration in an MCI file. */
export const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });

export const text = (name: string, template: string, more: object = {}) => ({
  name,
  execution: { type: "text", text: template },
  ...more,
});

const shell = (name: string, code: string, ...args: string[]) => ({
  name,
  execution: { type: "cli", command: "sh", args: ["-c", code, name, ...args] },
  enableAnyPaths: true,
});

/** A tool that says in a file that it has begun, sleeps, then prints. */
export const nap = (file: string, seconds: number) =>
  shell("nap", 'echo $$ >> "$1"; sleep "$2"; printf rested', file, String(seconds));

/** A tool with a child, both deaf to polite requests, that runs until it is killed, or for a minute. Both process ids go to the file. */
export const hang = (file: string) =>
  shell("hang", 'trap "" TERM; echo $$ >> "$1"; sleep 60 & echo $! >> "$1"; wait', file);

/** A shell script that is an MCP server which never answers. Its process id goes to the file `pids`. */
export const SILENT = "echo $$ >> pids; while read -r _; do :; done";

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
