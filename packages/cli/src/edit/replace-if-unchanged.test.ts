import { execFile } from "node:child_process";
import { readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { replaceIfUnchanged } from "./replace-if-unchanged.ts";

const run = promisify(execFile);
const MODULE = new URL("./replace-if-unchanged.ts", import.meta.url).href;

/** Adds a line `times` times, starting again from the present text after each conflict. */
const ADDS_LINES = `
  import { readFileSync } from "node:fs";
  import { replaceIfUnchanged } from ${JSON.stringify(MODULE)};
  const [file, name, times] = process.argv.slice(1);
  let conflicts = 0;
  for (let line = 0; line < Number(times); ) {
    const before = readFileSync(file, "utf8");
    if (await replaceIfUnchanged(file, before + name + line + "\\n", (text) => text === before)) line++;
    else conflicts++;
  }
  console.log(conflicts);`;

test("[C-conflict] processes that change a file at once lose no change of each other, and leave nothing behind", async () => {
  const root = folder({ "f.json": "" });
  const file = join(root, "f.json");
  const names = ["a", "b", "c"];
  await Promise.all(
    names.map((name) => run(process.execPath, ["--input-type=module", "-e", ADDS_LINES, file, name, "15"])),
  );
  const expected = names.flatMap((name) => Array.from({ length: 15 }, (_, line) => `${name}${line}`));
  expect(readFileSync(file, "utf8").trim().split("\n").toSorted()).toEqual(expected.toSorted());
  expect(readdirSync(root)).toEqual(["f.json"]);
});

test("[C-conflict] the lock of a process that died is removed", async () => {
  const root = folder({ "f.json": "old" });
  const lock = join(root, ".f.json.lock");
  writeFileSync(lock, "1 dead\n");
  utimesSync(lock, new Date(0), new Date(0));
  expect(await replaceIfUnchanged(join(root, "f.json"), "new", (text) => text === "old")).toBe(true);
  expect(await replaceIfUnchanged(join(root, "f.json"), "newer", (text) => text === "old")).toBe(false);
  expect(readFileSync(join(root, "f.json"), "utf8")).toBe("new");
  expect(readdirSync(root)).toEqual(["f.json"]);
});

test("[C-conflict] a process that was suspended until another took its lock changes nothing", async () => {
  const root = folder({ "f.json": "old" });
  const file = join(root, "f.json");
  const others = join(root, ".f.json.lock");
  const saved = replaceIfUnchanged(file, "new", () => {
    writeFileSync(others, "2 another\n");
    return true;
  });
  await expect(saved).rejects.toThrow("Another process is changing the file");
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(root).toSorted()).toEqual([".f.json.lock", "f.json"]);
});
