import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";
import { startService } from "./harness.ts";

// The official Inspector, from the command line, as a client of the council.

const INSPECTOR = fileURLToPath(
  new URL(
    "../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url,
  ),
);
const MAIN = program("packages/server", "main.js");

async function inspect(args: readonly string[], target: readonly string[]) {
  const { PATH = "", HOME = "" } = process.env;
  const all = [INSPECTOR, "--cli", ...args, "--format", "json", "--quiet", "--", ...target];
  const child = spawn(process.execPath, all, {
    env: { PATH, HOME, ...COMPILE_CACHE, MCI_DETECT_LOCAL: "0" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout).result;
}

async function checkTools(args: readonly string[], target: readonly string[]): Promise<void> {
  const { tools } = await inspect([...args, "--method", "tools/list", "--strict"], target);
  expect(tools.map(({ name }: { name: string }) => name)).toEqual([
    "query",
    "consult_council",
    "solve_with_voting",
    "decompose_task",
    "start_task",
    "get_task",
  ]);
  const call = ["--method", "tools/call", "--tool-name", "solve_with_voting"];
  const asked = ["--tool-arg", "query=Tabs or spaces?", "--tool-arg", "k=2"];
  const { content, structuredContent } = await inspect([...args, ...call, ...asked], target);
  expect(content[0].text).toMatch(/^# First-to-ahead-by-2 Voting Result\n\n## Winning Answer\n\n/);
  expect(structuredContent.metadata).toMatchObject({ tool_used: "solve_with_voting", model: "simulated" });
}

describe.each(["modern", "legacy"])("the Inspector, %s protocol", (era) => {
  it("accepts the tools, and calls them, over HTTP [P-inspector]", async () => {
    const { url } = await startService();
    await checkTools(["--protocol-era", era, "--server-url", `${url}/mcp`], []);
  });

  it("does the same over stdio [P-inspector]", async () => {
    await checkTools(
      ["--protocol-era", era, "-e", "MCI_DETECT_LOCAL=0"],
      [process.execPath, MAIN, "--stdio"],
    );
  });
});
