import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { echo, file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

test("[C-lock] tools are locked and compared, and each change is named", async () => {
  const cwd = folder({ "mci.json": file(greet, echo) });
  const missing = await mciHere(["lock", "--check"], { cwd });
  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("Run 'mci lock' first.") });

  const written = await mciHere(["lock"], { cwd });
  expect(written).toMatchObject({ code: 0, stderr: "Wrote mci.lock.json: 2 tools\n" });
  const text = readFileSync(join(cwd, "mci.lock.json"), "utf8");
  expect(Object.keys(JSON.parse(text).tools)).toEqual(["echo", "greet"]);
  expect(await mciHere(["lock", "--check"], { cwd })).toMatchObject({ code: 0, stdout: "" });

  writeFileSync(
    join(cwd, "mci.json"),
    JSON.stringify(file({ ...greet, description: "Other" }, { ...echo, name: "echo2" })),
  );
  const checked = await mciHere(["lock", "--check"], { cwd });
  expect(checked.code).toBe(1);
  expect(checked.stdout).toBe(
    "removed  echo (main)\nadded    echo2 (main)\nchanged  greet (main): description\n",
  );
  const json = await mciHere(["lock", "--check", "--format", "json"], { cwd });
  expect(JSON.parse(json.stdout).changes).toHaveLength(3);
  expect(readFileSync(join(cwd, "mci.lock.json"), "utf8")).toBe(text);
});

test("[C-lock] only what is in the lock is served", async () => {
  const cwd = folder({ "mci.json": file(greet, echo) });
  const unlocked = await mciHere(["run", "--locked"], { cwd });
  expect(unlocked).toMatchObject({ code: 1, stderr: expect.stringContaining("Run 'mci lock' to write it") });
  await mciHere(["lock"], { cwd });
  writeFileSync(join(cwd, "mci.json"), JSON.stringify(file({ ...greet, description: "Other" }, echo)));
  const served = await mciHere(["run", "--locked"], { cwd });
  expect(served.stderr).toContain("Tool 'greet' (main) changed since it was locked: description");
  expect(served.stderr).toContain("Serving 1 tool of mci.json");
});

/** An MCP server; while it is asked for its tools, another program writes the lock. */
const MEANWHILE = `
require("node:fs").writeFileSync("mci.lock.json", "theirs");
process.stdin.on("data", (data) => { for (const line of String(data).split("\\n").filter(Boolean)) {
  const { id, method } = JSON.parse(line);
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "e", version: "1" } },
    "tools/list": { tools: [{ name: "t", inputSchema: { type: "object" } }] } }[method];
  const reply = result ? { result } : { error: { code: -32601, message: "unknown" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...reply }) + "\\n");
} });`;

test("[C-conflict] a lock that another program writes while the tools are fetched is left as it is", async () => {
  const server = { command: process.execPath, args: ["server.cjs"] };
  const cwd = folder({
    "mci.json": { schemaVersion: "1.0", mcp_servers: { s: server } },
    "server.cjs": MEANWHILE,
  });
  const { code, stderr } = await mciHere(["lock"], { cwd });
  expect({ code, stderr }).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      "mci.lock.json was changed by something else meanwhile; nothing was written.",
    ),
  });
  expect(readFileSync(join(cwd, "mci.lock.json"), "utf8")).toBe("theirs");
});

/** An MCP server with a tool for each capability of its client. */
const SELECTIVE = `
let tools = [];
process.stdin.on("data", (data) => { for (const line of String(data).split("\\n").filter(Boolean)) {
  const { id, method, params } = JSON.parse(line);
  if (method === "initialize") {
    const { extensions = {}, ...others } = params.capabilities;
    tools = ["always", ...Object.keys(others), ...Object.keys(extensions)].map((name) => ({ name: name.replace(/\\W/g, "_"), inputSchema: { type: "object" } }));
  }
  const result = { initialize: { protocolVersion: "2025-11-25", capabilities: { tools: {} }, serverInfo: { name: "e", version: "1" } },
    "tools/list": { tools } }[method];
  const reply = result ? { result } : { error: { code: -32601, message: "unknown" } };
  if (id !== undefined) process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, ...reply }) + "\\n");
} });`;

test("[C-lock] a server that offers more to clients that can do more offers every command the same", async () => {
  const server = { command: process.execPath, args: ["server.cjs"] };
  const files = {
    "mci.json": { schemaVersion: "1.0", mcp_servers: { s: server } },
    "server.cjs": SELECTIVE,
  };
  const commands = [["lock"], ["list"], ["run"], ["show", "always"], ["call", "always"], ["types"]];
  const cached = await Promise.all(
    commands.map(async (command) => {
      const cwd = folder(files);
      await mciHere(command, { cwd });
      const { tools, clientCapabilities } = JSON.parse(readFileSync(join(cwd, "mci/mcp/s.mci.json"), "utf8"));
      return { names: tools.map(({ name }: { name: string }) => name).sort(), clientCapabilities };
    }),
  );
  expect(cached[0]?.clientCapabilities).toEqual(["elicitation", "io.modelcontextprotocol/ui"]);
  expect(cached[0]?.names).toEqual(expect.arrayContaining(["always", "elicitation"]));
  expect(cached).toEqual(commands.map(() => cached[0]));
});
