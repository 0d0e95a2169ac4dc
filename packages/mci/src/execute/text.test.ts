import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { failure, makeTool, textOf } from "../../test/execute/call.ts";
import { text } from "./text.ts";

test("a text tool renders its template again for each call", async () => {
  const tool = makeTool(
    text,
    { type: "text", text: "Hello {{props.name}} from {{env.CITY}}" },
    temporaryFolder(),
  );
  const say = async (name: string) => textOf(await tool.run({ props: { name }, env: { CITY: "Turin" } }));
  expect(await say("Ada")).toBe("Hello Ada from Turin");
  expect(await say("{{env.CITY}}")).toBe("Hello {{env.CITY}} from Turin");
});

test("its includes are relative to the MCI file's directory, and read again when they change [X-include]", async () => {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "parts"));
  writeFileSync(join(dir, "parts/a.txt"), "A {{props.x}}");
  const tool = makeTool(text, { type: "text", text: '<@include("parts/a.txt")>' }, dir);
  expect(textOf(await tool.run({ props: { x: 1 } }))).toBe("<A 1>");
  writeFileSync(join(dir, "parts/a.txt"), "B {{props.x}}");
  expect(textOf(await tool.run({ props: { x: 2 } }))).toBe("<B 2>");
});

test("its includes obey the path rules of the call", async () => {
  const root = temporaryFolder();
  mkdirSync(join(root, "base"));
  writeFileSync(join(root, "shared.txt"), "shared");
  const tool = makeTool(text, { type: "text", text: '@include("../shared.txt")' }, join(root, "base"));
  const refused = () => failure(tool.run());
  expect((await refused()).code).toBe("path_refused");
  expect(textOf(await tool.run({ paths: { directoryAllowList: [".."] } }))).toBe("shared");
  // What one call was allowed to read is not cached for a call that is not.
  expect((await refused()).code).toBe("path_refused");
});

test("an included file must be text", async () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "x.bin"), Buffer.from([0xff, 0xfe, 0]));
  const tool = makeTool(text, { type: "text", text: '@include("x.bin")' }, dir);
  const error = await failure(tool.run());
  expect([error.code, error.message]).toEqual(["file_not_text", "Included file is not UTF-8 text: x.bin"]);
});
