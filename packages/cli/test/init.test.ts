import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import Ajv from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const FILES = [".gitignore", "mci", "mci.json"];
const LIBRARY = [
  ".gitignore",
  "example_server.mci.json",
  "example_toolset.mci.json",
  "mci.schema.json",
  "welcome.md",
];

test("[C-init] creates a project and never overwrites", async () => {
  const cwd = folder();
  const { code, stdout } = await mciHere(["init"], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain("Created mci.json\n");
  expect(stdout).toContain("mci call greet name=Ada");
  expect(readdirSync(cwd)).toEqual(FILES);
  expect(readdirSync(join(cwd, "mci"))).toEqual(LIBRARY);

  const mine = folder({ "mci.json": "mine", "mci/.gitignore": "cache/", ".gitignore": "dist\n.env.mci\n" });
  const again = await mciHere(["install"], { cwd: mine });
  expect(again.stdout).toContain("Kept    mci.json (already there)\n");
  expect(again.stdout).toContain("Updated mci/.gitignore\n");
  expect(again.stdout).toContain("Kept    .gitignore (already there)\n");
  expect(readFileSync(join(mine, "mci.json"), "utf8")).toBe("mine");
  expect(readFileSync(join(mine, "mci/.gitignore"), "utf8")).toBe("cache/\nmcp/\n.env\n.env.mci\n");
  expect(readFileSync(join(mine, ".gitignore"), "utf8")).toBe("dist\n.env.mci\n");
});

test("[C-init] a file in the other format is the project's file, and gets no second beside it", async () => {
  const cwd = folder({ "mci.yaml": "mine" });
  const { stdout } = await mciHere(["init"], { cwd });
  expect(stdout).toContain("Kept    mci.yaml (already there)\n");
  expect(stdout).not.toContain("greet");
  expect(readdirSync(cwd)).toEqual([".gitignore", "mci", "mci.yaml"]);
  expect(readFileSync(join(cwd, "mci.yaml"), "utf8")).toBe("mine");
});

test("in another folder, in YAML", async () => {
  const cwd = folder();
  const { stdout } = await mciHere(["init", "--yaml", "--dir", "new/place"], { cwd });
  expect(stdout).toContain("Created new/place/mci.yaml\n");
  expect(stdout).toContain("cd new/place && mci validate");
  expect(readFileSync(join(cwd, "new/place/mci.yaml"), "utf8")).toMatch(
    /^# yaml-language-server: \$schema=\.\/mci\/mci\.schema\.json\n/,
  );
});

test("a place where nothing can be created is explained", async () => {
  const { code, stderr } = await mciHere(["init", "--dir", "file/inside"], { cwd: folder({ file: "" }) });
  expect(code).toBe(1);
  expect(stderr).toContain("hint: Check the folder and its permissions, or use --dir.");
});

test.each(["--yaml", "--dir=."])(
  "[C-init] with %s the file is valid, and so is it to an editor that follows $schema",
  async (option) => {
    const cwd = folder();
    await mciHere(["init", option], { cwd });
    const { code, stdout } = await mciHere(["validate", "--format", "json"], { cwd });
    // The one thing that may be missing here is the command itself.
    const problems = JSON.parse(stdout).problems.filter(
      ({ message }: { message: string }) => !message.includes("PATH: mci "),
    );
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
    if (option === "--yaml") return;

    const document = JSON.parse(readFileSync(join(cwd, "mci.json"), "utf8"));
    const schema = JSON.parse(readFileSync(resolve(cwd, document.$schema), "utf8"));
    // Whether the schema itself is one is a test of the library.
    const ajv = new Ajv.default({ strict: false, validateSchema: false, code: { optimize: false } });
    expect(ajv.validate(schema, document)).toBe(true);
  },
);

test("[C-init] the starter has a working tool of each kind", async () => {
  const cwd = folder();
  await mciHere(["init"], { cwd });
  const call = (...args: string[]) => mciHere(["call", ...args], { cwd });
  expect((await call("greet", "name=Ada", "excited=true")).stdout).toBe("Hello, Ada!\n");
  expect((await call("read_welcome", "name=Ada")).stdout).toContain("# Welcome, Ada\n");
  expect((await call("list_files")).stdout.trim().split("\n")).toEqual(FILES);
  expect((await call("list_files", "directory=/")).code).toBe(1);
  expect((await call("shopping_list", "items=milk", "items=tea")).stdout).toBe("- milk\n- tea\n");

  const { url: api } = await serve((request, response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ path: request.url }));
  });
  const { stdout } = await call("get_repository", "name=a/b", "--env", `GITHUB_API=${api}`);
  expect(JSON.parse(stdout)).toEqual({ path: "/repos/nodejs/a%2Fb" });
});
