import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const text = (name: string, source: string) => ({ name, execution: { type: "text", text: source } });

const files = () => ({
  "mci.json": {
    ...file(text("a", "{{ env.TOKEN }} {{env.COLOUR|'red'}}"), text("b", "{{env.TOKEN}}")),
    toolsets: ["set"],
    mcp_servers: {
      remote: { url: "https://example.com", headers: { Authorization: "Bearer {{env.REMOTE}}" } },
    },
  },
  "mci/set.mci.json": file(text("c", "{{env.FROM_SET}}")),
  ".env": "TOKEN=hunter2-secret",
});

const run = (args: string[], options: { env?: Record<string, string>; columns?: number } = {}) =>
  mciHere(["envs", ...args], { cwd: folder(files()), env: {}, ...options });

test("[C-envs] lists every variable with its state, its users and its places, never its value", async () => {
  const { code, stdout, stderr } = await run([], { env: { REMOTE: "also-secret" } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(
    stdout
      .trimEnd()
      .split("\n")
      .map((line) => line.split("\t").slice(0, 3)),
  ).toEqual([
    ["COLOUR", "not set (has a fallback)", "main"],
    ["FROM_SET", "missing", "set"],
    ["REMOTE", "set (environment)", "mcp:remote"],
    ["TOKEN", "set (.env)", "main"],
  ]);
  expect(stdout).toMatch(/TOKEN\t.*\tmci\.json:\d+:\d+, mci\.json:\d+:\d+\n/);
  expect(stdout).not.toContain("secret");
});

test("[C-envs] a variable that is set to nothing is called empty", async () => {
  const { stdout } = await run([], { env: { REMOTE: "" } });
  expect(stdout).toMatch(/^REMOTE\tempty \(environment\)\t/m);
  const json = await run(["--format", "json"], { env: { REMOTE: "" } });
  expect(JSON.parse(json.stdout).variables).toContainEqual(
    expect.objectContaining({ name: "REMOTE", set: true, empty: true }),
  );
});

test("a table on a terminal", async () => {
  const { stdout } = await run([], { columns: 100 });
  expect(stdout.split("\n")[0]).toMatch(/^Variable +Status +Used by +Where$/);
});

test("a template for an env file, in which what has a fallback is commented out", async () => {
  const { stdout } = await run(["--format", "env"]);
  expect(stdout).toContain("\n# Used by: main (optional)\n# COLOUR=\n\n# Used by: set\nFROM_SET=\n");
  expect(stdout).not.toContain("secret");

  // Used as it is, it must not put an empty value in place of a fallback.
  const cwd = folder({ "mci.json": file(text("a", "{{env.COLOUR|'red'}}")) });
  writeFileSync(join(cwd, ".env.mci"), (await mciHere(["envs", "--format", "env"], { cwd, env: {} })).stdout);
  expect((await mciHere(["call", "a"], { cwd, env: {} })).stdout).toBe("red\n");
});

test("[C-envs] all of it as JSON", async () => {
  const { stdout } = await run(["--format", "json", "--env", "FROM_SET=x"]);
  const { variables } = JSON.parse(stdout);
  expect(variables[1]).toEqual({
    name: "FROM_SET",
    set: true,
    source: "--env",
    fallback: false,
    usedBy: ["set"],
    uses: [
      expect.objectContaining({
        hasFallback: false,
        usedBy: "set",
        tool: "c",
        line: expect.any(Number),
        path: "tools[0].execution.text",
      }),
    ],
  });
  expect(stdout).not.toContain("secret");
});

test("[C-envs] a missing toolset is reported, and the rest is listed all the same", async () => {
  const cwd = folder({
    "mci.json": { ...file(text("a", "{{env.A}}")), toolsets: ["gone"] },
    "mci/other.mci.json": file(),
  });
  const { code, stdout, stderr } = await mciHere(["envs"], { cwd, env: {} });
  expect(code).toBe(1);
  expect(stdout).toContain("A\tmissing\tmain");
  expect(stderr).toContain("Toolset not found: gone.");
});

test("a file that needs none says so", async () => {
  const cwd = folder({ "mci.json": { ...file(), toolsets: null } });
  expect(await mciHere(["envs"], { cwd })).toEqual({
    code: 0,
    stdout: "",
    stderr: "mci.json needs no variables.\n",
  });
  expect(JSON.parse((await mciHere(["envs", "--format", "json"], { cwd })).stdout)).toEqual({
    variables: [],
  });
});
