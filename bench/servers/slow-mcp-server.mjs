/**
 * node slow-mcp-server.mjs DELAY_MS TOOLS: an MCP server on standard input and output that is slow to begin, as one that
 * waits for a network is. It needs next to nothing of the processor, so ten of them do not wait for each other.
 */
import { createInterface } from "node:readline";

const [delay = "0", count = "1"] = process.argv.slice(2);

const tools = Array.from({ length: Number(count) }, (_, index) => ({
  name: `tool_${index}`,
  description: `Tool number ${index}`,
  inputSchema: { type: "object", properties: { q: { type: "string" } } },
}));

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: { tools: {} },
    serverInfo: { name: "slow", version: "1" },
  }),
  "tools/list": () => ({ tools }),
};

await new Promise((resolve) => setTimeout(resolve, Number(delay)));

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const answer = answers[method];
  const outcome = answer
    ? { result: answer(params) }
    : { error: { code: -32601, message: `no method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...outcome })}\n`);
}
