import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { runScript, SCRIPT_MS } from "../test/programs/run-script.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const stories = globSync("*/run.ts", { cwd: here }).map(dirname).sort();

test("there are stories", () => {
  expect(stories).toContain("quickstart");
});

test.each(stories)("the example %s does what it says", { timeout: SCRIPT_MS }, async (story) => {
  const files = globSync(`${story}/*.mci.{json,yaml}`, { cwd: here });
  expect(files.length).toBeGreaterThan(0);
  expect(readFileSync(join(here, story, "run.ts"), "utf8")).toContain('from "mci-ts"');
  const { code, stdout, stderr } = await runScript(join(here, story, "run.ts"), here);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).not.toBe("");
});
