/**
 * The same file in JSON and in YAML: the same tools, the same answers.
 *
 *   npx node examples/yaml-twin/run.ts
 */
import assert from "node:assert/strict";
import { MCIClient } from "mci-ts";

const [json, yaml] = await Promise.all(
  ["tools.mci.json", "tools.mci.yaml"].map((file) =>
    MCIClient.load(new URL(file, import.meta.url), { unknownKeys: "error" }),
  ),
);
assert.deepEqual(yaml!.tools(), json!.tools());
assert.deepEqual(yaml!.metadata, json!.metadata);

const calls = [
  ["greet", { name: "Ada" }],
  ["greet", { name: "Ada", language: "no" }],
  ["versions", {}],
] as const;
for (const [name, properties] of calls) {
  const [a, b] = await Promise.all([json!.execute(name, properties), yaml!.execute(name, properties)]);
  assert.equal(a.error, undefined);
  assert.equal(a.text, b.text);
  console.log(`${name}: ${a.text.trim()}`);
}
assert.equal((await yaml!.execute("greet", { name: "Ada", language: "no" })).text, "Hei, Ada!\n");

await Promise.all([json!.close(), yaml!.close()]);
