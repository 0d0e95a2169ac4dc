import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { COMPILE_CACHE, program } from "../../../test/programs/programs.ts";

const MAIN = program("packages/council-server", "main.js");

let child: ChildProcessWithoutNullStreams | undefined;
afterEach(() => {
  child?.kill("SIGKILL");
});

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const call = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "query", arguments: { prompt: "Tabs or spaces?" } },
};

async function start() {
  const { PATH = "", HOME = "" } = process.env;
  const started = spawn(process.execPath, [MAIN, "--stdio"], {
    env: { PATH, HOME, ...COMPILE_CACHE, MCI_DETECT_LOCAL: "0" },
  });
  child = started;
  const exited = new Promise<number | null>((resolve) => started.once("exit", resolve));
  started.stdin.on("error", () => undefined);
  await new Promise((resolve) => started.stderr.once("data", resolve));
  return { child: started, exited, send: (line: unknown) => void started.stdin.write(`${line}\n`) };
}

describe("mci-council --stdio", () => {
  it("continues after invalid lines and one that is too large, responds to valid messages, and exits when its input ends", async () => {
    const { child, exited, send } = await start();
    let text = "";
    let logged = "";
    child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on("data", (chunk: Buffer) => (logged += chunk.toString()));
    for (const line of ["garbage", "null", "[1,2]", "{}", `${"[".repeat(10_000)}${"]".repeat(10_000)}`])
      send(line);
    send("x".repeat(11 * 1024 * 1024));
    send(JSON.stringify(initialize));
    send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
    send(JSON.stringify(call));
    await expect.poll(() => text, { timeout: 15_000 }).toContain("# First-to-ahead-by-3 Voting Result");
    // Standard output belongs to the protocol.
    for (const line of text.trim().split("\n")) expect(JSON.parse(line)).toMatchObject({ jsonrpc: "2.0" });
    child.stdin.end();
    expect(await exited).toBe(0);
    for (const line of logged.trim().split("\n")) expect(line).toMatch(/^\S+Z warn mcp: [a-zA-Z].{0,300}$/);
  });

  it("exits when its output is closed", async () => {
    const { child, exited, send } = await start();
    child.stdout.destroy();
    send(JSON.stringify(initialize));
    expect(await exited).toBe(0);
  });
});
