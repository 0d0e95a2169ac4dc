/**
 * The same SDK server with a bare handler: what `mci run` is compared with.
 *
 *   node serve-bare.ts          on standard input and output
 *   node serve-bare.ts http     on a free port, which it prints
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { GREET } from "./serve-load.ts";

function newServer(): Server {
  const server = new Server({ name: "bare", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [GREET as never] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: `Hello ${params.arguments?.who}` }],
  }));
  return server;
}

if (process.argv[2] === "http") {
  const handle = toNodeHandler(createMcpHandler(newServer));
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, "127.0.0.1", () =>
    process.stderr.write(`on http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp\n`),
  );
} else serveStdio(newServer);
