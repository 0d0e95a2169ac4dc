import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { discoverFile } from "./discover.ts";

test.each([
  [["mci.json", "mci.yaml", "mci.yml", "x.mci.json"], "mci.json"],
  [["mci.yaml", "mci.yml", "x.mci.json"], "mci.yaml"],
  [["mci.yml", "x.mci.json"], "mci.yml"],
  [["x.mci.json", "other.json", ".mci.json", "mci.json.bak"], "x.mci.json"],
  [["x.mci.yaml"], "x.mci.yaml"],
  [["x.mci.yml"], "x.mci.yml"],
])("[C-discover] of %j the file is %s", (names, expected) => {
  const root = folder(Object.fromEntries(names.map((name) => [name, ""])));
  expect(discoverFile(undefined, root)).toBe(join(root, expected));
});

test("[C-discover] a file that is named is used, relative to the current folder", () => {
  const root = folder({ "mci.json": "", "sub/x.json": "" });
  expect(discoverFile("sub/x.json", root)).toBe(join(root, "sub/x.json"));
});

test("[C-discover] no file: the message says how to get one", () => {
  const root = folder({ "sub/mci.json": "" });
  expect(() => discoverFile(undefined, root)).toThrow(`No MCI schema file found in ${root}`);
  expect(() => discoverFile(undefined, root)).toThrow(
    expect.objectContaining({ hint: expect.stringContaining("mci init") }),
  );
});

test("[C-discover] several files: the message names them", () => {
  const root = folder({ "b.mci.json": "", "a.mci.yaml": "" });
  expect(() => discoverFile(undefined, root)).toThrow("a.mci.yaml, b.mci.json");
});
