import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const types = "mci-tools.d.ts";

test("the types are written beside the file, and written again only when the tools change [A-types-command]", async () => {
  const cwd = folder({ "mci.json": file(greet) });
  expect(await mciHere(["types"], { cwd })).toEqual({ code: 0, stdout: "", stderr: `Wrote ${types}.\n` });
  const text = readFileSync(join(cwd, types), "utf8");
  expect(text).toContain("greet: { input: GreetInput; output: unknown };");
  expect(text).toContain("The types of the tools in mci.json.");
  expect((await mciHere(["types", "mci.json"], { cwd })).stderr).toBe(`${types} is up to date.\n`);
});

test("--check writes nothing and fails when the file is missing or out of date [A-types-command]", async () => {
  const cwd = folder({ "mci.json": file(greet) });
  const missing = await mciHere(["types", "--check"], { cwd });
  expect(missing.code).toBe(1);
  expect(missing.stderr).toContain(`${types} does not exist.`);
  await mciHere(["types"], { cwd });
  expect((await mciHere(["types", "--check"], { cwd })).code).toBe(0);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file({ ...greet, name: "hello" })));
  const stale = await mciHere(["types", "--check"], { cwd });
  expect(stale.code).toBe(1);
  expect(stale.stderr).toContain("is out of date");
  expect(stale.stderr).toContain("mci types mci.json");
  expect(readFileSync(join(cwd, types), "utf8")).toContain("GreetInput");
});

test("-o names another file, - prints, and a file of someone else's is left alone [A-types-command]", async () => {
  const cwd = folder({ "mci.json": file(greet), "own.ts": "export const mine = 1;\n" });
  const printed = await mciHere(["types", "-o", "-"], { cwd });
  expect(printed.stdout).toContain("export interface Tools");
  const refused = await mciHere(["types", "-o", "own.ts"], { cwd });
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("was not written by 'mci types'");
  expect(readFileSync(join(cwd, "own.ts"), "utf8")).toBe("export const mine = 1;\n");
  expect((await mciHere(["types", "--check", "-o", "-"], { cwd })).code).toBe(2);
});

test("a server that cannot be reached is an error: its tools would be missing [A-types-command]", async () => {
  const cwd = folder({
    "mci.json": { ...file(greet), mcp_servers: { gone: { command: "no-such-command-here" } } },
  });
  const { code } = await mciHere(["types"], { cwd });
  expect(code).toBe(1);
});
