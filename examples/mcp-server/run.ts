/**
 * An MCP server inside a file: its tools beside ours, one process for all calls, and a cached tool list for the next start.
 *
 *   npx node examples/mcp-server/run.ts
 */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MCIClient } from "mci-ts";

const LIBRARY = mkdtempSync(join(tmpdir(), "mci-example-mcp-"));
const states: string[] = [];
const load = () =>
  MCIClient.load(new URL("tools.mci.yaml", import.meta.url), {
    env: { LIBRARY, MEMORY_FILE: join(LIBRARY, "memory.jsonl") },
    strict: true,
    onMcpServer: (server, state) => states.push(`${server} ${state}`),
  });

const client = await load();
assert.deepEqual(states, ["memory fetching", "memory fetched"]);
assert.deepEqual(client.listTools(), [
  "find_person",
  "memory_create_entities",
  "memory_read_graph",
  "memory_search_nodes",
]);

const ada = { name: "Ada Lovelace", entityType: "person", observations: ["wrote the first program"] };
const created = await client.execute("memory_create_entities", { entities: [ada] });
assert.equal(created.error, undefined);
assert.deepEqual([created.metadata.mcp_server, created.metadata.mcp_tool], ["memory", "create_entities"]);

// The same server through our own tool, with our own input schema. Structured content comes through.
const found = await client.execute("find_person", { query: "Lovelace" });
assert.deepEqual(found.structuredContent, { entities: [ada], relations: [] });
await assert.rejects(client.execute("find_person", { query: "L" }), { code: "invalid_input" });

// Input is checked before the server sees it.
await assert.rejects(client.execute("memory_create_entities", { entities: "Ada" }), {
  code: "invalid_input",
});
await client.close();

// The second start does not connect: the tool list is cached.
assert.ok(existsSync(join(LIBRARY, "mcp", "memory.mci.json")));
states.length = 0;
const again = await load();
assert.deepEqual(states, []);
assert.equal(again.listTools().length, 4);
assert.match((await again.execute("memory_read_graph")).text, /Ada Lovelace/);
await again.close();

rmSync(LIBRARY, { recursive: true });
console.log("mcp-server: four tools, one server, its tools fetched once");
