import { createMcpHandler } from "@modelcontextprotocol/server";
import { z } from "zod";
import { HttpError } from "../http/errors.ts";
import { defineRoute, type Route } from "../http/route.ts";
import { createMcpServer } from "../mcp/server.ts";
import { McpSessions } from "../mcp/sessions.ts";
import type { CouncilService } from "../service.ts";

const rpc = {
  description: "A JSON-RPC response, or a stream of messages that ends in it.",
  content: { "application/json": undefined, "text/event-stream": undefined },
};

const RpcError = z
  .looseObject({
    jsonrpc: z.literal("2.0"),
    error: z.looseObject({ code: z.int(), message: z.string() }),
    id: z.null(),
  })
  .meta({ id: "RpcError" });

/** MCP over Streamable HTTP, for clients of the current protocol and of those before. */
export function mcp(service: CouncilService): Route[] {
  const newServer = () => createMcpServer(service);
  const handler = createMcpHandler(newServer, { onerror: (error) => service.log(`mcp: ${error.message}`) });
  const sessions = new McpSessions(newServer);
  const failure = {
    schema: RpcError,
    body: ({ message }: HttpError) => ({ jsonrpc: "2.0", error: { code: -32600, message }, id: null }),
  };
  const inSession = (method: "get" | "delete", summary: string) =>
    defineRoute({
      method,
      path: "/mcp",
      summary,
      failure,
      responses: {
        200: rpc,
        404: { description: "There is no such session." },
        405: { description: "Sessions only." },
      },
      handle(c) {
        if (sessions.claims(c.req.raw)) return sessions.handle(c.req.raw);
        throw new HttpError("method_not_allowed", `${c.req.method} /mcp needs an Mcp-Session-Id`, {
          headers: { allow: "POST" },
        });
      },
    });
  return [
    defineRoute({
      method: "post",
      path: "/mcp",
      summary: "The council's tools over the Model Context Protocol (Streamable HTTP)",
      body: z.unknown(),
      failure,
      responses: {
        200: rpc,
        202: { description: "A notification was taken." },
        400: rpc,
        404: { description: "There is no such session." },
      },
      handle: (c, _, parsedBody) =>
        sessions.claims(c.req.raw, parsedBody)
          ? sessions.handle(c.req.raw, parsedBody)
          : handler.fetch(c.req.raw, { parsedBody }),
    }),
    inSession("get", "Messages of a session, for clients of earlier protocols"),
    inSession("delete", "End a session, for clients of earlier protocols"),
  ];
}
