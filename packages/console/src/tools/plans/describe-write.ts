import type { PlanEntry } from "mci-ts/code";

/** A write in plain words, without what it sends. */
export function describeWrite(request: PlanEntry["request"]): string {
  switch (request.type) {
    case "http":
      return `sends ${request.method} to ${hostOf(request.url)}`;
    case "cli":
      return `runs the command ${request.command} in ${request.cwd}`;
    case "mcp":
      return `calls ${request.tool} of the MCP server ${request.server}`;
    case "file":
      return `reads the file ${request.path}`;
    default:
      return "returns a text, and sends nothing";
  }
}

/** Where the writes of a plan go, each place once. */
export function targetsOf(entries: readonly PlanEntry[]): string[] {
  return [
    ...new Set(
      entries.map(({ request }) =>
        request.type === "http"
          ? hostOf(request.url)
          : request.type === "mcp"
            ? `MCP server ${request.server}`
            : request.type === "cli"
              ? `command ${request.command}`
              : request.type,
      ),
    ),
  ];
}

/** The host as it is connected to: other scripts are in ASCII, and a name before an `@` is not a host. */
function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return protocol === "https:" ? host : `${host} (${protocol}//, not encrypted)`;
  } catch {
    return url;
  }
}
