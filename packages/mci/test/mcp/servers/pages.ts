import { Server } from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";

// 250 tools in pages of 40; with the argument "endless", pages without end.

const PAGE = 40;
const isEndless = process.argv[2] === "endless";
const COUNT = isEndless ? Number.POSITIVE_INFINITY : 250;

serveStdio(() => {
  const server = new Server({ name: "pages", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler("tools/list", ({ params }) => {
    const first = Number(params?.cursor ?? 0);
    const last = Math.min(first + PAGE, COUNT);
    const tools = Array.from({ length: last - first }, (_, index) => ({
      name: `tool-${first + index}`,
      inputSchema: { type: "object" as const },
    }));
    return { tools, ...(last < COUNT ? { nextCursor: String(last) } : {}) };
  });
  return server;
});
