import { protocolError, serveLines } from "../../../../../test/programs/serve-lines.ts";

// 250 tools in pages of 40; with the argument "endless", pages of one tool without end.

const isEndless = process.argv[2] === "endless";
const PAGE = isEndless ? 1 : 40;
const COUNT = isEndless ? Number.POSITIVE_INFINITY : 250;

serveLines({
  name: "pages",
  listTools(cursor) {
    const first = Number(cursor ?? 0);
    const last = Math.min(first + PAGE, COUNT);
    const tools = Array.from({ length: last - first }, (_, index) => ({
      name: `tool-${first + index}`,
      inputSchema: { type: "object" },
    }));
    return { tools, ...(last < COUNT ? { nextCursor: String(last) } : {}) };
  },
  callTool() {
    throw protocolError(-32_601, "Method not found");
  },
});
