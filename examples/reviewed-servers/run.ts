/**
 * A configuration of Claude Desktop becomes one file that is reviewed and locked: 'mci import mcp-config', 'mci lock',
 * 'mci run --locked'.
 *
 *   npx node examples/reviewed-servers/run.ts
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { MCIClient } from "mci-ts";

const folder = mkdtempSync(join(tmpdir(), "mci-example-reviewed-"));
const env = {
  LIBRARY: folder,
  MEMORY_FILE_PATH: join(folder, "memory.jsonl"),
  SYNC_API_KEY: "sk-not-a-real-key",
};
const file = fileURLToPath(new URL("tools.mci.json", import.meta.url));

// What 'mci import mcp-config claude_desktop_config.json -o tools.mci.json' wrote: the key is a variable, the server that
// was switched off is left out. The overrides and the filter were added in the review.
const written = readFileSync(file, "utf8");
assert.ok(!written.includes(env.SYNC_API_KEY));
const client = await MCIClient.load(file, { env, strict: true });
assert.deepEqual(client.listTools(), ["remember", "memory_read_graph"]);

// 'mci lock' writes this to mci.lock.json. It covers how the server is started, too.
const lock = client.lock();
await client.close();

const locked = await MCIClient.load(file, { env, lock });
assert.deepEqual(locked.warnings, []);
const ada = { name: "Ada", entityType: "person", observations: ["wrote the first program"] };
assert.equal((await locked.execute("remember", { entities: [ada] })).error, undefined);
assert.match((await locked.execute("memory_read_graph")).text, /Ada/);
await locked.close();

// Another way to start the server is another server: nothing of it runs until it is reviewed again.
const changed = JSON.parse(written);
changed.mcp_servers.memory.args.push("--verbose");
const refused = await MCIClient.fromObject(changed, { baseDir: dirname(file), env, lock });
assert.deepEqual(refused.listTools(), []);
assert.match(refused.warnings[0]!.message, /changed since it was locked: server/);
await refused.close();

rmSync(folder, { recursive: true });
console.log("reviewed-servers: two of nine tools, no key in the file, locked");
