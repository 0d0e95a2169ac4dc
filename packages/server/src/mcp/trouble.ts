/** What the MCP SDK reports, as one line of a log: messages are written by others, and a failed check is told at length. */
export function troubleOf(error: Error): string {
  const said = "issues" in error ? "a message that is not JSON-RPC was ignored" : error.message;
  return `mcp: ${said.replace(/\s+/g, " ").slice(0, MOST_CHARS)}`;
}

const MOST_CHARS = 300;
