/**
 * A program that reads standard input: jq. The data go to it as JSON and never become an argument.
 *
 *   npx node examples/jq-filter/run.ts
 */
import { deepEqual, equal } from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { MCIClient } from "mci-ts";

if (spawnSync("jq", ["--version"]).error !== undefined) {
  console.log("jq-filter: skipped, because jq is not installed");
  process.exit(0);
}
await using client = await MCIClient.load(new URL("tools.mci.json", import.meta.url));

const data = {
  items: [
    { name: "a", n: 1 },
    { name: "--version", n: 2 },
  ],
};
const names = await client.execute("filter_json", { filter: ".items | map(.name)", data });
deepEqual(names.structuredContent, ["a", "--version"]);

// Look before you run: the command and what it will read.
const preview = await client.preview("filter_json", { filter: ".items", data });
equal(preview.type === "cli" && preview.stdin, JSON.stringify(data));

// jq exits with 1 where the filter gives false; the file says that this is not a failure.
const answers = await Promise.all(
  [1, 5].map((least) => client.execute("is_true", { filter: `.items | any(.n > ${least})`, data })),
);
deepEqual(
  answers.map(({ text, isError }) => [text.trim(), isError]),
  [
    ["true", false],
    ["false", false],
  ],
);

// What is wrong is said in jq's own words.
const wrong = await client.execute("filter_json", { filter: ".items[", data });
equal(wrong.metadata.error_code, "command_failed");
console.log("jq-filter: data through standard input, two exit codes that mean success");
