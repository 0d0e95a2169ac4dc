import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import { BATCH_MS, runScripts, type ScriptRun } from "../test/programs/run-script.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const stories = globSync("*/run.ts", { cwd: here }).map(dirname).sort();

test("there are stories", () => {
  expect(stories).toContain("quickstart");
});

describe("in a batch", () => {
  // All in one process, which loads the library once.
  const script = (story: string) => join(here, story, "run.ts");
  let runs: Map<string, ScriptRun>;
  beforeAll(async () => {
    runs = await runScripts(stories.map(script), { cwd: here });
  }, BATCH_MS);

  test.each(stories)("the example %s does what it says", (story) => {
    const files = globSync(`${story}/*.mci.{json,yaml}`, { cwd: here });
    expect(files.length).toBeGreaterThan(0);
    expect(readFileSync(script(story), "utf8")).toContain('from "mci-ts"');
    const { code, stdout, stderr } = runs.get(script(story))!;
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).not.toBe("");
  });
});
