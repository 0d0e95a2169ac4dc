/** node slow-mcp-server.ts DELAY_MS TOOLS: an MCP server on standard input and output that is slow to begin. */
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

const [delay = "0", count = "1"] = process.argv.slice(2);
await new Promise((resolve) => setTimeout(resolve, Number(delay)));

const server = new Server({ name: "slow", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler("tools/list", () => ({
  tools: Array.from({ length: Number(count) }, (_, index) => ({
    name: `tool_${index}`,
    description: `Tool number ${index}`,
    inputSchema: { type: "object" as const, properties: { q: { type: "string" } } },
  })),
}));
await server.connect(new StdioServerTransport());
