import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../../test/temporary-folder.ts";
import { failure, makeTool, textOf } from "../../../test/execute/call.ts";
import { MCIClient } from "../../client.ts";
import { file } from "./file.ts";

function folders(): string {
  const dir = temporaryFolder();
  mkdirSync(join(dir, "data/sub"), { recursive: true });
  for (const name of [
    "data/note.txt",
    "data/sub/deep.txt",
    "plain.txt",
    ".env",
    ".env.local",
    "data/.env",
    "tools.mci.json",
  ])
    writeFileSync(join(dir, name), `content of ${name}`);
  symlinkSync("../plain.txt", join(dir, "data/link"));
  symlinkSync("../.env", join(dir, "data/hidden"));
  return dir;
}

const run = (dir: string, path: string, x: string, paths = {}) =>
  makeTool(file, { type: "file", path }, dir).run({ props: { x }, env: { DIR: "data" }, paths });

describe("a value in the path of a file tool", () => {
  test.each(["note.txt", "./note.txt", "sub/deep.txt", "sub/../note.txt"])(
    "may name what is in the author's folder: %s [P-author-folder]",
    async (x) => {
      expect(textOf(await run(folders(), "data/{{props.x}}", x))).toContain("content of data/");
    },
  );

  test.each([
    "../plain.txt",
    "../tools.mci.json",
    "sub/../../plain.txt",
    "link",
    "..",
    "missing/../../plain.txt",
  ])("cannot leave the author's folder: %s [P-author-folder]", async (x) => {
    const dir = folders();
    expect((await failure(run(dir, "data/{{props.x}}", x))).code).toBe("path_refused");
    expect((await failure(run(dir, "{{env.DIR}}/{{props.x}}", x))).code).toBe("path_refused");
    // Nor where the file allows any path: the author wrote a folder.
    expect((await failure(run(dir, "data/{{props.x}}", x, { enableAnyPaths: true }))).code).toBe(
      "path_refused",
    );
  });

  test.each([".env", ".env.local", "data/.env", "tools.mci.json", "data/hidden", "data/../.env", "./.ENV"])(
    "cannot name a protected file: %s [P-protected]",
    async (x) => {
      const dir = folders();
      writeFileSync(join(dir, ".ENV"), "");
      for (const paths of [{}, { enableAnyPaths: true }])
        expect((await failure(run(dir, "{{props.x}}", x, paths))).code).toBe("path_refused");
    },
  );

  test("the author may read such a file [P-protected]", async () => {
    const dir = folders();
    expect(textOf(await run(dir, ".env.local", ""))).toBe("content of .env.local");
    expect(textOf(await run(dir, "{{env.DIR}}/.env", ""))).toBe("content of data/.env");
  });
});

test("MCI files and toolsets under any name are protected, and so is a command's argument [P-protected]", async () => {
  const dir = folders();
  const secret = "s3cr3t-value";
  writeFileSync(
    join(dir, "tools.json"),
    JSON.stringify({
      schemaVersion: "1.0",
      libraryDir: ".",
      toolsets: ["more.json"],
      tools: [
        { name: "read", execution: { type: "file", path: "data/{{props.x}}" } },
        { name: "any", execution: { type: "file", path: "{{props.x}}" } },
        { name: "cat", execution: { type: "cli", command: "cat", args: ["{{props.x}}"] } },
        { name: "keyed", execution: { type: "text", text: "{{env.KEY}}" } },
      ],
    }),
  );
  writeFileSync(
    join(dir, "more.json"),
    JSON.stringify({
      schemaVersion: "1.0",
      tools: [{ name: "t", execution: { type: "text", text: "{{env.KEY}}" } }],
    }),
  );
  await using client = await MCIClient.load(join(dir, "tools.json"), { env: { KEY: secret } });
  for (const [tool, x] of [
    ["read", "../tools.json"],
    ["any", "tools.json"],
    ["any", "more.json"],
    ["any", "data/../tools.json"],
    ["cat", "tools.json"],
    ["cat", "./more.json"],
    ["cat", ".env"],
  ] as const) {
    const result = await client.execute(tool, { x });
    expect(result.metadata["error_code"], `${tool} ${x}`).toBe("path_refused");
    expect(JSON.stringify(result)).not.toContain(secret);
  }
  expect((await client.execute("any", { x: "plain.txt" })).text).toBe("content of plain.txt");
});
