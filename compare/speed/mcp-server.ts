/** The MCP server that every peer calls, and the limit of what serving can reach: the SDK with a bare handler. */
import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

const GREET = {
  name: "greet",
  description: "Greets someone",
  inputSchema: { type: "object" as const, properties: { who: { type: "string" } }, required: ["who"] },
};

serveStdio(() => {
  const server = new Server({ name: "greeter", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", () => ({ tools: [GREET] }));
  server.setRequestHandler("tools/call", ({ params }) => ({
    content: [{ type: "text", text: `Hello ${params.arguments?.who}` }],
  }));
  return server;
});
