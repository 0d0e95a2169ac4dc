import type { LoadOptions } from "mci-ts";

/** What the last load said about each MCP server that it asked. A server that is missing was answered from the cache. */
export type McpStates = ReadonlyMap<string, "fetching" | "fetched" | "failed">;

/** A load starts with `reset`; the states follow it. */
export class McpStateRecorder {
  readonly states = new Map<string, "fetching" | "fetched" | "failed">();

  reset(): void {
    this.states.clear();
  }

  readonly onMcpServer: NonNullable<LoadOptions["onMcpServer"]> = (server, state) => {
    this.states.set(server, state);
  };
}
