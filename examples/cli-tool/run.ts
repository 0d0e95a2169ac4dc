/**
 * Wrap a command-line program: arguments, flags, lists, and what happens to values that try to be more than values.
 * Needs git.
 *
 *   npx node examples/cli-tool/run.ts
 */
import assert from "node:assert/strict";
import { rmSync } from "node:fs";
import { MCIClient } from "mci-ts";
import { makeRepository } from "./repository.ts";

const REPOSITORY = makeRepository();
const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), { env: { REPOSITORY } });
const lines = async (tool: string, properties: object) => {
  const result = await client.execute(tool, { ...properties });
  assert.equal(result.error, undefined);
  return result.text.trim().split("\n");
};

// git log --format=%s -n 10
assert.deepEqual(await lines("git_log", {}), [
  "Better plan",
  "Add the program; fix: $(nothing)",
  "Start with a plan",
]);
// … -n 1 --author=ada: a string that spells a number is one where the schema asks for it.
assert.deepEqual(await lines("git_log", { count: "1", author: "ada" }), ["Better plan"]);
// … --grep=Start --grep=program: a list repeats its flag.
assert.equal((await lines("git_log", { words: ["Start", "program"] })).length, 2);

assert.deepEqual(await lines("git_show", { file: "plan.md" }), ["Version 2"]);
assert.deepEqual(await lines("git_show", { commit: "HEAD~2", file: "plan.md" }), ["Version 1"]);

// A native list is one argument for each item; a space in it means nothing. Without the list there is no argument.
assert.deepEqual(await lines("git_files", { folders: ["src folder"] }), ["src folder/main.txt"]);
assert.equal((await lines("git_files", {})).length, 2);

// Nothing is parsed by a shell, and no value becomes an option or a path to somewhere else.
assert.deepEqual(await lines("git_log", { words: ["$(nothing)"] }), ["Add the program; fix: $(nothing)"]);
const option = await client.execute("git_show", { commit: "--output=x", file: "plan.md" });
assert.equal(option.metadata.error_code, "option_refused");
const outside = await client.execute("git_files", { folders: ["/etc"] });
assert.equal(outside.metadata.error_code, "path_refused");

// What the program says about its failure is in the error.
const wrong = await client.execute("git_show", { file: "missing.md" });
assert.match(wrong.error!, /^Command failed with exit code 128: fatal: path 'missing.md' does not exist/);

await client.close();
rmSync(REPOSITORY, { recursive: true });
console.log("cli-tool: git as three tools");
