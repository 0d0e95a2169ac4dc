import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { BATCH_MS, runScripts, type ScriptRun } from "../../test/programs/run-script.ts";

const here = import.meta.dirname;
const examples = globSync("*.ts", { cwd: here })
  .filter((file) => !["model.ts", "agents.test.ts"].includes(file))
  .sort();

test("there is an example for each framework, and two over MCP", () => {
  const frameworks = [
    "ai-sdk",
    "anthropic",
    "google",
    "langchain",
    "openai",
    "openai-agents",
    "openai-responses",
  ];
  expect(examples).toEqual(
    [...frameworks, "ai-sdk-over-mcp", "langchain-over-mcp"].map((name) => `${name}.ts`).sort(),
  );
});

describe("in a batch", () => {
  // All in one process: to load each SDK takes longer than to run its example.
  let runs: Map<string, ScriptRun>;
  beforeAll(async () => {
    runs = await runScripts(
      examples.map((file) => join(here, file)),
      { cwd: here, preload: [join(here, "model.ts")] },
    );
  }, BATCH_MS);

  test.each(examples)("%s is short, and its agent finds the answer after a call that fails", (file) => {
    const lines = readFileSync(join(here, file), "utf8").trimEnd().split("\n");
    expect(lines.length).toBeLessThanOrEqual(25);
    const { code, stdout, stderr } = runs.get(join(here, file))!;
    expect({
      code,
      stderr: stderr.replaceAll(/^.*(Warning|trace-warnings|npm warn|Serving 3 tools).*$\n?/gm, ""),
    }).toEqual({
      code: 0,
      stderr: "",
    });
    expect(stdout).toContain("Together they cost 15.75.");
  });
});
