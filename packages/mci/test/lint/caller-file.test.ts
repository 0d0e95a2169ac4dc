import { join } from "node:path";
import { expect, test } from "vitest";
import { lintFile } from "../../src/index.ts";
import { file, folder } from "./support.ts";

const read = (execution: object) => ({
  name: "read",
  inputSchema: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
  execution: { type: "file", path: "data/{{props.x}}", ...execution },
});
const usesEnv = { name: "t", execution: { type: "text", text: "{{env.KEY | ''}}" } };

async function warned(files: Record<string, object>): Promise<(string | undefined)[]> {
  const { problems } = await lintFile(join(folder(files), "mci.json"), { env: {} });
  return problems
    .filter(({ message }) => message.includes("The caller chooses this file"))
    .map(({ path }) => path);
}

test("[I-caller-file] a templated file of the caller's choice is a warning where the file uses env", async () => {
  expect(await warned({ "mci.json": file(read({}), usesEnv) })).toEqual(["tools[0].execution.path"]);
});

test("[I-caller-file] env may be used in a toolset, and the tool may stand in one", async () => {
  const main = { ...file(usesEnv), toolsets: ["set"] };
  expect(await warned({ "mci.json": main, "mci/set.mci.json": file(read({})) })).toEqual([
    "tools[0].execution.path",
  ]);
});

test("[I-caller-file] there is no warning without env, without templating, or for the author's own file", async () => {
  expect(await warned({ "mci.json": file(read({})) })).toEqual([]);
  expect(await warned({ "mci.json": file(read({ enableTemplating: false }), usesEnv) })).toEqual([]);
  expect(await warned({ "mci.json": file(read({ path: "data/a.txt" }), usesEnv), "data/a.txt": {} })).toEqual(
    [],
  );
});
