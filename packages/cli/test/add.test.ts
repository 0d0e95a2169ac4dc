import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

test("[C-add] adds a toolset that the loader then finds", async () => {
  const cwd = folder({ "mci.json": file(), "mci/set.mci.json": file(greet) });
  const { code, stdout, stderr } = await mciHere(
    ["add", "set", "--filter", "only:greet", "--prefix", "my_"],
    { cwd },
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toBe("Added toolset 'set' to mci.json\n  Filter: only:greet\n");
  expect((await mciHere(["list", "--format", "names"], { cwd })).stdout).toBe("my_greet\n");
});

test("[C-add] in YAML comments, order and non-ASCII text stay", async () => {
  const before = "# my tools é\nschemaVersion: '1.0' # v\ntoolsets: [] # none yet\ntools: []\n";
  const cwd = folder({ "mci.yaml": before, "mci/set.mci.json": file() });
  await mciHere(["add", "set"], { cwd });
  expect(readFileSync(join(cwd, "mci.yaml"), "utf8")).toBe(before.replace("[] # none", "[set] # none"));
});

test("[C-add] adding again without a filter keeps the filter; both spellings of withoutTags are one", async () => {
  const cwd = folder({ "mci.json": { ...file(), toolsets: null }, "mci/set.mci.json": file() });
  await mciHere(["add", "set", "--filter", "without-tags:a,b"], { cwd });
  const once = readFileSync(join(cwd, "mci.json"), "utf8");
  expect(JSON.parse(once).toolsets).toEqual([{ name: "set", filter: "withoutTags", filterValue: "a,b" }]);
  expect((await mciHere(["add", "set"], { cwd })).stdout).toBe(
    "mci.json has toolset 'set' already; nothing to change.\n",
  );
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toBe(once);
});

test("a toolset that is not there is refused with the nearest name, and the file stays", async () => {
  const cwd = folder({ "mci.json": file(), "mci/weather.mci.json": file() });
  const before = readFileSync(join(cwd, "mci.json"), "utf8");
  const { code, stdout, stderr } = await mciHere(["add", "wether"], { cwd });
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("error: Toolset not found: wether.");
  expect(stderr).toContain("hint: did you mean 'weather'? Nothing was changed; --force adds it");
  expect(readFileSync(join(cwd, "mci.json"), "utf8")).toBe(before);
});

test("--force adds a toolset that is not there yet, with a warning", async () => {
  const cwd = folder({ "mci.json": file(), "mci/weather.mci.json": file() });
  const { code, stderr } = await mciHere(["add", "wether", "--force"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain("warning: Toolset not found: wether.");
  expect(JSON.parse(readFileSync(join(cwd, "mci.json"), "utf8")).toolsets).toEqual(["wether"]);
});

test.each([
  ["no library folder", { "mci.json": file() }, "set", "Library directory not found: "],
  ["a name that leaves it", { "mci.json": file(), "mci/a.mci.json": file() }, "../x", "lies outside"],
])("%s: refused", async (_, files, name, message) => {
  const cwd = folder(files);
  const { code, stderr } = await mciHere(["add", name], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain(message);
  expect(JSON.parse(readFileSync(join(cwd, "mci.json"), "utf8"))).toEqual(file());
});

test("the library folder is the file's own, also where a variable names it", async () => {
  const document = { ...file(), libraryDir: "{{env.LIB}}" };
  const cwd = folder({ "mci.json": document, "sets/a.mci.json": file(), ".env": "LIB=sets" });
  expect((await mciHere(["add", "a"], { cwd })).code).toBe(0);
  expect((await mciHere(["add", "b"], { cwd })).stderr).toContain(join(cwd, "sets"));
});

test("a toolset with a mistake in it is added: it is in the list, and the mistake is reported", async () => {
  const cwd = folder({ "mci.json": file(), "mci/set.mci.json": { schemaVersion: "1.0", tools: 1 } });
  const { code, stderr } = await mciHere(["add", "set"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain("set.mci.json:3:12 (tools): warning: Must be a list");
});

test("a filter that names what the toolset does not have is reported", async () => {
  const cwd = folder({ "mci.json": file(), "mci/set.mci.json": file(greet) });
  const { code, stderr } = await mciHere(["add", "set", "--filter", "only:gret"], { cwd });
  expect(code).toBe(0);
  expect(stderr).toContain("warning: toolset 'set' has no tool 'gret'");
  expect(stderr).toContain("hint: did you mean 'greet'?");
});

test("[C-atomic] the file's mode stays, a link stays a link, and nothing is left behind", async () => {
  const cwd = folder({ "real/mci.json": file(), "mci/set.mci.json": file() });
  chmodSync(join(cwd, "real/mci.json"), 0o640);
  symlinkSync("real/mci.json", join(cwd, "mci.json"));
  await mciHere(["add", "set"], { cwd });
  expect(lstatSync(join(cwd, "mci.json")).isSymbolicLink()).toBe(true);
  expect(statSync(join(cwd, "real/mci.json")).mode & 0o777).toBe(0o640);
  expect(JSON.parse(readFileSync(join(cwd, "real/mci.json"), "utf8")).toolsets).toEqual(["set"]);
  expect(readdirSync(join(cwd, "real"))).toEqual(["mci.json"]);
});

test.each([
  [["add"], 2, "NAME is missing"],
  [["add", "set", "--filter", "toolsets:a"], 2, "Invalid filter type: 'toolsets'."],
  [["add", "set", "--filter", "only"], 2, "Invalid filter specification: 'only'."],
  [["add", "set", "--file", "gone.json"], 1, "File not found:"],
  [["add", "set", "--file", "notes.txt"], 1, "Unsupported file extension '.txt'."],
  [["add", "set", "--file", "broken.json"], 1, "The file is not well-formed JSON."],
])("%j: exit %i, %s", async (args, expected, message) => {
  const cwd = folder({ "mci.json": file(), "notes.txt": "", "broken.json": "{" });
  const { code, stderr } = await mciHere(args, { cwd });
  expect(code).toBe(expected);
  expect(stderr).toContain(`error: ${message}`);
});
