/**
 * The tools of a council that reads a repository before it judges. With the service:
 *
 *   REPOSITORY=. MCI_TOOLS=examples/council-repository/tools.mci.json mci-council
 *
 * Here the tools alone, called as a seat calls them. Needs git.
 *
 *   npx node examples/council-repository/run.ts
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { MCIClient } from "mci-ts";
import { makeRepository } from "../cli-tool/repository.ts";

const REPOSITORY = makeRepository();
const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), { env: { REPOSITORY } });
// Only what is marked as read-only is offered to seats.
const offered = client.tools().filter(({ annotations }) => annotations?.readOnlyHint);
assert.deepEqual(
  offered.map(({ name }) => name),
  ["read_file", "grep"],
);
const found = await client.call("grep", { text: "Version" });
assert.equal(found.isError, false);
console.log(found.text);
// A value that would be an option, or leave the repository, stays a value.
for (const path of ["--help", "../../etc/passwd"])
  assert.equal((await client.call("read_file", { path })).isError, true);
await client.close();
rmSync(REPOSITORY, { recursive: true });
