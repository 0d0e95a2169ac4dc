import { z } from "zod";
import { HttpError } from "../http/errors.ts";
import { defineRoute, type Route } from "../http/route.ts";
import type { McpDoor } from "../mcp/door.ts";
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
export function mcp(service: CouncilService, load = () => import("../mcp/door.ts")): Route[] {
  let opening: Promise<McpDoor> | undefined;
  const door = () => {
    opening ??= load().then(
      ({ openMcpDoor }) => openMcpDoor(service),
      (error) => {
        // Too many open files, say: the next request may find it better.
        opening = undefined;
        throw error;
      },
    );
    return opening;
  };
  const failure = {
    schema: RpcError,
    body: (error: HttpError) => ({
      jsonrpc: "2.0",
      error: { code: rpcCode(error), message: error.message },
      id: null,
    }),
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
      async handle(c) {
        const response = (await door()).handle(c.req.raw);
        if (response !== undefined) return response;
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
      // A POST is always answered.
      handle: async (c, _, body) => (await door()).handle(c.req.raw, body)!,
    }),
    inSession("get", "Messages of a session, for clients of earlier protocols"),
    inSession("delete", "End a session, for clients of earlier protocols"),
  ];
}

/** JSON-RPC's own numbers: not JSON, our defect, or else an invalid request. */
function rpcCode({ cause, status }: HttpError): number {
  if (cause instanceof SyntaxError) return -32700;
  return status === 500 ? -32603 : -32600;
}
