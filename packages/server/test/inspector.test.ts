import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";
import { startService } from "./harness.ts";

// The official Inspector, from the command line, as a client of the council.

const INSPECT = fileURLToPath(new URL("./fixtures/inspect.ts", import.meta.url));
const MAIN = program("packages/server", "main.js");

/** The result of each command, in order. */
async function inspect(commands: readonly (readonly string[])[]) {
  const { PATH = "", HOME = "" } = process.env;
  const child = spawn(process.execPath, [INSPECT, JSON.stringify(commands)], {
    env: { PATH, HOME, ...COMPILE_CACHE, MCI_DETECT_LOCAL: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, stderr).toBe(0);
  const outputs = stdout.split("\n---\n").slice(0, -1);
  return outputs.map((output) => JSON.parse(output).result);
}

const LIST = ["--method", "tools/list", "--strict"];
const CALL = [
  ...["--method", "tools/call", "--tool-name", "solve_with_voting"],
  ...["--tool-arg", "query=Tabs or spaces?", "--tool-arg", "k=2"],
];

describe("the Inspector", () => {
  it("accepts the tools, and calls them, over HTTP and stdio, by both protocols [P-inspector]", async () => {
    const { url } = await startService();
    const stdio = [process.execPath, MAIN, "--stdio"];
    const targets = ["modern", "legacy"].flatMap((era) => [
      { by: `HTTP, ${era}`, options: ["--protocol-era", era, "--server-url", `${url}/mcp`], server: [] },
      { by: `stdio, ${era}`, options: ["--protocol-era", era, "-e", "MCI_DETECT_LOCAL=0"], server: stdio },
    ]);
    const results = await inspect(
      targets.flatMap(({ options, server }) =>
        [LIST, CALL].map((method) => [...options, ...method, "--format", "json", "--quiet", "--", ...server]),
      ),
    );
    expect(results).toHaveLength(2 * targets.length);
    for (const [index, { by }] of targets.entries()) {
      const [{ tools }, { content, structuredContent }] = results.slice(2 * index);
      const names = tools.map(({ name }: { name: string }) => name);
      expect(names, by).toEqual([
        "query",
        "consult_council",
        "solve_with_voting",
        "decompose_task",
        "start_task",
        "get_task",
      ]);
      expect(content[0].text, by).toMatch(/^# First-to-ahead-by-2 Voting Result\n\n## Winning Answer\n\n/);
      expect(structuredContent.metadata, by).toMatchObject({
        tool_used: "solve_with_voting",
        model: "simulated",
      });
    }
  });
});
