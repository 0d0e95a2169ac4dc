import { createMcpEndpoint, type McpEndpoint } from "@mci-ts/http-guard/mcp";
import type { CouncilService } from "../service.ts";
import { createMcpServer } from "./mcp-server.ts";

/** What answers requests to `/mcp`. Importing this file loads the MCP SDK, so it is imported with the first of them. */
export function createMcpHandler(service: CouncilService): McpEndpoint {
  const log = (error: Error) => service.log(formatLogError(error));
  return createMcpEndpoint({ newServer: () => createMcpServer(service), onError: log, onRejected: log });
}

const MAX_LOG_CHARACTERS = 300;

/** An error of the MCP SDK as one line of a log: messages come from clients, and a failed check lists every detail. */
export function formatLogError(error: Error): string {
  const message = "issues" in error ? "a message that is not JSON-RPC was ignored" : error.message;
  return `mcp: ${message.replace(/\s+/g, " ").slice(0, MAX_LOG_CHARACTERS)}`;
}
