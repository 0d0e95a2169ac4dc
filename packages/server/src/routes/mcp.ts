import { createMcpHandler } from "@modelcontextprotocol/server";
import { defineRoute, type Route } from "../http/route.ts";
import { createMcpServer } from "../mcp.ts";
import type { CouncilService } from "../service.ts";

/** MCP over Streamable HTTP, without sessions, for clients of the current protocol and of the one before. */
export function mcp(service: CouncilService): Route {
  const handler = createMcpHandler(() => createMcpServer(service), {
    maxRequestBodySize: service.config.http.bodyLimit,
    onerror: (error) => service.log(`mcp: ${error.message}`),
  });
  return defineRoute({
    method: "post",
    path: "/mcp",
    summary: "The council's tools over the Model Context Protocol (Streamable HTTP)",
    responses: {
      200: {
        description: "A JSON-RPC response, or a stream of messages that ends in it.",
        content: { "application/json": undefined, "text/event-stream": undefined },
      },
      202: { description: "A notification was taken." },
    },
    handle: (c) => handler.fetch(c.req.raw),
  });
}
