import { networkOf } from "@mci-ts/http-guard";
import type { McpEndpoint } from "@mci-ts/http-guard/mcp";
import { z } from "zod";
import { defineRoute, type Route } from "../http/route.ts";
import type { CouncilService } from "../service.ts";
import type { ServiceError } from "../service-error.ts";

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
export function mcp(service: CouncilService, load = () => import("../mcp/handler.ts")): Route[] {
  let opening: Promise<McpEndpoint> | undefined;
  const handler = () => {
    opening ??= load().then(
      ({ createMcpHandler }) => createMcpHandler(service),
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
    body: (error: ServiceError) => ({
      jsonrpc: "2.0",
      error: { code: rpcCode(error), message: error.message },
      id: null,
    }),
  };
  return [
    defineRoute({
      method: "post",
      path: "/mcp",
      summary: "The council's tools over the Model Context Protocol (Streamable HTTP)",
      body: z.unknown(),
      failure,
      responses: {
        200: rpc,
        202: { description: "A notification was accepted." },
        400: rpc,
      },
      async handle(c, _, body) {
        const client = networkOf(c.env.incoming.socket.remoteAddress ?? "");
        return (await handler()).handle(c.req.raw, { body, client });
      },
    }),
  ];
}

/** JSON-RPC's own numbers: not JSON, our defect, or else an invalid request. */
function rpcCode({ cause, code }: ServiceError): number {
  if (cause instanceof SyntaxError) return -32700;
  return code === "internal" ? -32603 : -32600;
}
