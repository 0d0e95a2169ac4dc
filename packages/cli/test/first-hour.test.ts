import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mciHere } from "./in-process.ts";
import { folder, mci } from "./mci.ts";
import { SILENT } from "./serve/file.ts";

const TOOLS = { schemaVersion: "1.0", tools: [{ name: "hi", execution: { type: "text", text: "Hi" } }] };

test("[C-hints] --json leads to --format json, which works in any case", async () => {
  const cwd = folder({ "mci.json": TOOLS });
  const wrong = await mciHere(["call", "hi", "--json"], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("hint: Write --format json.")]);
  for (const format of ["json", "JSON", "Json"]) {
    const { code, stdout } = await mciHere(["call", "hi", "--format", format], { cwd });
    expect([code, JSON.parse(stdout).result?.isError ?? JSON.parse(stdout).isError]).toEqual([0, false]);
  }
});

test("[C-hints] add -f except:x explains that -f is the file, and the advice works", async () => {
  const cwd = folder({ "mci.json": TOOLS, "mci/set.mci.json": TOOLS });
  const wrong = await mciHere(["add", "set", "-f", "except:x"], { cwd });
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain("'except:x' is a filter, and -f names the file.");
  expect(wrong.stderr).toContain("hint: Write --filter except:x.");
  expect((await mciHere(["add", "set", "--filter", "except:x"], { cwd })).code).toBe(0);
});

test("[C-one-line] a JSON file on one line stays on one line", async () => {
  const cwd = folder({ "mci.json": JSON.stringify(TOOLS), "mci/set.mci.json": TOOLS });
  for (const args of [["set"], ["set", "--filter", "only:a"], ["set", "--prefix", "p_"]])
    expect((await mciHere(["add", ...args], { cwd })).code).toBe(0);
  const text = readFileSync(join(cwd, "mci.json"), "utf8");
  expect(text).not.toContain("\n");
  expect(JSON.parse(text).toolsets).toEqual([
    { name: "set", filter: "only", filterValue: "a", prefix: "p_" },
  ]);
});

test("[C-envs] a file with errors is not said to need no variables", async () => {
  const cwd = folder({ "mci.json": { ...TOOLS, toolsets: ["missing"] } });
  const { code, stderr } = await mciHere(["envs"], { cwd });
  expect(code).toBe(1);
  expect(stderr).toContain("missing");
  expect(stderr).not.toContain("needs no variables");
});

test.each([[["help"]], [["help", "run"]], [["help", "call"]], [["list", "--help"]]])(
  "[C-help-width] %j fits a terminal of 40 columns, but for examples",
  async (args) => {
    const { stdout } = await mciHere(args, { cwd: folder(), columns: 40 });
    const [text = ""] = stdout.split(/^(?:Examples|Start):$/m);
    const long = text.split("\n").filter((line) => line.length > 40 && line.trim().includes(" "));
    expect(long.filter((line) => !line.includes("mci "))).toEqual([]);
    expect(text).not.toBe("");
  },
);

test.each([
  [{ FORCE_COLOR: "1" }, true],
  [{ FORCE_COLOR: "0" }, false],
  [{ FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [{}, false],
])("[C-colour] with %j there are colours in a pipe: %s", async (env, isColoured) => {
  const { stderr } = await mci(["no-such-command"], { cwd: folder(), env: env as Record<string, string> });
  expect(stderr.includes("\x1b[1m")).toBe(isColoured);
});

test("[C-colour] standard output has its colours, too", async () => {
  const { stdout } = await mci(["help"], { cwd: folder(), env: { FORCE_COLOR: "1" } });
  expect(stdout).toContain("\x1b[1m");
});

test("a slow MCP server is named, with the option that sets how long to wait, which works", async () => {
  const silent = { command: "sh", args: ["-c", SILENT] };
  const cwd = folder({ "mci.json": { ...TOOLS, mcp_servers: { "slow one": silent } } });
  const started = performance.now();
  const { stdout, stderr } = await mciHere(["list", "--mcp-timeout", "3000"], { cwd });
  expect(performance.now() - started).toBeLessThan(15_000);
  expect(stderr).toContain("Waiting for MCP server 'slow one'; --mcp-timeout MS sets how long\n");
  expect(stdout).toContain("hi\t");
  const wrong = await mciHere(["list", "--mcp-timeout", "soon"], { cwd });
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining("e.g. --mcp-timeout 60000")]);
});

test("[C-hints] a whole command line is corrected to what works", async () => {
  const tool = (execution: object) => ({
    ...TOOLS,
    tools: [{ name: "count", execution: { type: "cli", ...execution } }],
  });
  const cwd = folder({ "mci.json": tool({ command: "sh -c 'printf ab | wc -c'" }) });
  const { stdout } = await mciHere(["validate"], { cwd });
  const advice = JSON.parse(`{${/"command": .*\]/.exec(stdout)![0]}}`);
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(tool(advice)));
  expect((await mciHere(["call", "count"], { cwd })).stdout.trim()).toBe("2");
});

test("[C-hints] a token that no client could send is refused at once", async () => {
  const cwd = folder({ "mci.json": TOOLS });
  for (const token of ["two words", "grün", "tab\there"]) {
    const { code, stderr } = await mciHere(["run", "--http", "0", "--token", token], { cwd });
    expect([code, stderr]).toEqual([2, expect.stringContaining("visible ASCII characters only")]);
  }
});
