import { createMcpHandler } from "@modelcontextprotocol/server";
import type { CouncilService } from "../service.ts";
import { createMcpServer } from "./server.ts";
import { McpSessions } from "./sessions.ts";
import { troubleOf } from "./trouble.ts";

/** What answers requests to `/mcp`. Importing this file loads the MCP SDK, so it is imported with the first of them. */
export interface McpDoor {
  /** undefined for a request outside of any session that needs one. */
  handle(request: Request, body?: unknown): Promise<Response> | undefined;
}

export function openMcpDoor(service: CouncilService): McpDoor {
  const newServer = () => createMcpServer(service);
  const handler = createMcpHandler(newServer, { onerror: (error) => service.log(troubleOf(error)) });
  const sessions = new McpSessions(newServer);
  return {
    handle(request, body) {
      if (sessions.claims(request, body)) return sessions.handle(request, body);
      return request.method === "POST" ? handler.fetch(request, { parsedBody: body }) : undefined;
    },
  };
}
