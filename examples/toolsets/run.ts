/**
 * One file for a team, a minimal set of tools for each agent: toolsets, prefixes, filters.
 *
 *   npx node examples/toolsets/run.ts
 */
import assert from "node:assert/strict";
import { MCIClient, type ToolFilter } from "mci-ts";

const file = new URL("team.mci.json", import.meta.url);
const clientFor = (filter?: ToolFilter) => MCIClient.load(file, { env: { TODAY: "2026-11-15" }, filter });

// A toolset is a file or a directory in ./mci. The reference left delete_repository out for everybody.
const everything = await clientFor();
assert.deepEqual(everything.listTools(), [
  "today",
  "forecast",
  "gh_list_issues",
  "gh_close_issue",
  "gh_read_readme",
]);

const agents: Record<string, ToolFilter> = {
  reporter: { tags: ["read"] },
  planner: { only: ["today", "forecast"] },
  triage: { toolsets: ["github"], without: ["gh_read_readme"] },
};
for (const [agent, filter] of Object.entries(agents)) {
  const client = await clientFor(filter);
  console.log(`${agent.padEnd(10)} ${client.listTools().join(", ")}`);
  await client.close();
}

// A filter given to load is not only what is listed: nothing else can be called.
const planner = await clientFor(agents["planner"]);
assert.equal((await planner.execute("forecast", { city: "Porto" })).text, "Sunny in Porto");
await assert.rejects(planner.execute("gh_close_issue", { number: 1 }), { code: "tool_not_found" });
await planner.close();

// A toolset cannot give itself more than this file allows, whatever it says.
const refused = await everything.execute("gh_read_readme");
assert.equal(refused.metadata.error_code, "path_refused");
await everything.close();
