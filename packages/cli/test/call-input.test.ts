import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { readValue } from "../src/call/ask-person.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";
import { fixture } from "./serve/support.ts";

const project = (era: readonly string[] = []) =>
  folder({
    "mci.json": {
      schemaVersion: "1.0",
      mcp_servers: { full: { command: process.execPath, args: [fixture("full.ts"), ...era] } },
    },
  });
const terminal = (...lines: string[]) =>
  Object.assign(Readable.from(lines.map((line) => `${line}\n`)), { isTTY: true });

describe("mci call asks at the terminal what a server wants to know [CALL-input]", () => {
  test.each([
    ["2026", []],
    ["2025", ["legacy"]],
  ] as const)("of the era %s", async (_, era) => {
    const cwd = project(era);
    const run = (name: string, ...lines: string[]) =>
      mciHere(["call", name], { cwd, stdin: terminal(...lines), stderrColumns: 80 });
    const filled = await run("test_elicitation", "", "ada", "", "y");
    expect(filled.stdout).toContain('action=accept, content={"username":"ada"}');
    expect(filled.stderr).toContain("MCP server 'full' asks: Please answer");
    expect(filled.stderr).toContain("Give it only what you would tell its operator.");
    expect(filled.stderr).toContain("A value is needed.");
    expect((await run("test_elicitation", "ada", "", "n")).stdout).toContain("action=decline");
    expect((await run("test_elicitation")).stdout).toContain("action=cancel");
    const page = await run("test_page", "");
    expect(page.stderr).toContain("Open this page in a browser: https://example.com/login");
    expect(page.stdout).toContain("action=accept");
  });

  test("and tells the server that no one can be asked where there is no terminal", async () => {
    const { code, stderr } = await mciHere(["call", "test_elicitation"], { cwd: project() });
    expect(code).toBe(1);
    expect(stderr).toContain("client capabilities do not declare");
  });
});

test.each([
  ["yes", { type: "boolean" }, true],
  ["7", { type: "integer", maximum: 6 }, undefined],
  ["1.5", { type: "integer" }, undefined],
  ["2", { type: "string", enum: ["a", "b"] }, "b"],
  ["First", { type: "string", oneOf: [{ const: "one", title: "First" }] }, "one"],
  ["1, b", { type: "array", items: { enum: ["a", "b"] } }, ["a", "b"]],
  ["1, c", { type: "array", items: { enum: ["a", "b"] } }, undefined],
  ["abc", { type: "string", maxLength: 2 }, undefined],
] as const)("the answer %j to a field %j is %j [CALL-input]", (typed, field, value) => {
  expect(readValue(typed, field).value).toEqual(value);
});
