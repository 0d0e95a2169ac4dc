import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { load, project } from "../toolsets/support.ts";
import { npmServer, temporaryDirectory } from "./support.ts";

test("the file with an MCP server in the guide works, with the server it names", async () => {
  const guide = readFileSync(new URL("../../../../docs/guides/toolsets-and-mcp.md", import.meta.url), "utf8");
  const [, after] = guide.split("### A first server");
  const document = JSON.parse(/```json\n(.*?)```/s.exec(after!)![1]!);
  const { memory } = document.mcp_servers;
  expect([memory.command, ...memory.args]).toEqual(["npx", "-y", "@modelcontextprotocol/server-memory"]);
  // The same package, but without asking the registry for it.
  const { command, args, env: shared } = npmServer("memory");
  const env = { ...shared, MEMORY_FILE_PATH: `${temporaryDirectory()}/memory.jsonl` };
  const root = project({
    "tools.mci.json": { ...document, mcp_servers: { memory: { ...memory, command, args, env } } },
  });
  const client = await load(root, { strict: true });
  expect(client.listTools()).toEqual(["read_graph", "search_nodes"]);
  const result = await client.execute("read_graph");
  expect(result.error).toBeUndefined();
  expect(result.structuredContent).toEqual({ entities: [], relations: [] });
});
