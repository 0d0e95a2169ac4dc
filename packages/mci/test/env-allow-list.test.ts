import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { lintFile, MCIClient } from "../src/index.ts";

const dir = temporaryFolder({}, afterAll);

const env = { A: "value-of-a", B: "value-of-b" };
const tool = (text: string, more: object = {}) => ({
  name: "t",
  inputSchema: { type: "object", properties: { name: { type: "string" } } },
  execution: { type: "text", text },
  ...more,
});
const load = (document: object, more: object = {}) =>
  MCIClient.fromObject({ schemaVersion: "1.0", ...document }, { baseDir: dir, env, ...more });

async function call(document: object, options: object = {}) {
  await using client = await load(document, options);
  return await client.execute("t", { name: "B" });
}

describe("envAllowList", () => {
  test("names what templates may read, and a file that reads more does not load [S-env-allow-list]", async () => {
    expect((await call({ envAllowList: ["A"], tools: [tool("{{env.A}}")] })).text).toBe("value-of-a");
    await expect(load({ envAllowList: ["A"], tools: [tool("{{env.B | 'x'}}")] })).rejects.toThrow(
      "env.B is read, and envAllowList does not name it",
    );
    await expect(load({ envAllowList: [], tools: [tool("{{env.A}}")] })).rejects.toThrow("env.A is read");
  });

  test("holds during calls as well, also for names that are computed and in Jinja [S-env-allow-list]", async () => {
    const unchecked = { parseTemplates: "call" };
    const late = await call({ envAllowList: ["A"], tools: [tool("{{env.B}}")] }, unchecked);
    expect(late.error).toContain("Template variable not found: env.B");
    expect(late.error).toContain("envAllowList does not name B.");
    const jinja = { type: "text", text: "<{{ env[props.name] }}>", templateEngine: "jinja2" };
    const document = { envAllowList: ["A"], tools: [tool("", { execution: jinja })] };
    expect((await call(document)).text).toBe("<>");
    expect((await call({ ...document, envAllowList: ["B"] })).text).toBe("<value-of-b>");
    const whole = await call({ envAllowList: ["A"], tools: [tool("{{env}}")] });
    expect(whole.text).toBe('{"A":"value-of-a"}');
  });

  test("holds for files that a tool reads and includes [S-env-allow-list]", async () => {
    writeFileSync(join(dir, "outer.txt"), '@include("inner.txt")');
    writeFileSync(join(dir, "inner.txt"), "{{env.B}}");
    const execution = { type: "file", path: "outer.txt" };
    const result = await call({ envAllowList: ["A"], tools: [tool("", { execution })] });
    expect(result.error).toContain("Template variable not found: env.B");
  });

  test("holds for variables that a command inherits, also in a toolset [S-env-allow-list]", async () => {
    const args = ["-p", "String([process.env.A, process.env.B])"];
    const execution = { type: "cli", command: "node", args, inheritEnv: ["A", "B"] };
    const inheriting = tool("", { execution });
    await expect(load({ envAllowList: ["A"], tools: [inheriting] })).rejects.toThrow("env.B is read");
    const late = await call({ envAllowList: ["A"], tools: [inheriting] }, { parseTemplates: "call" });
    expect(late.text.trim()).toBe("value-of-a,");
    expect((await call({ envAllowList: ["A", "B"], tools: [inheriting] })).text).toContain("value-of-b");
    writeFileSync(join(dir, "cli.mci.json"), JSON.stringify({ schemaVersion: "1.0", tools: [inheriting] }));
    const entry = { libraryDir: ".", toolsets: ["cli"], envAllowList: ["A"] };
    await expect(load(entry)).rejects.toThrow("env.B is read");
  });

  test("of a tool and of a toolset narrow that of the file, and never widen it [S-env-allow-list]", async () => {
    await expect(
      load({ envAllowList: ["A"], tools: [tool("{{env.B}}", { envAllowList: ["A", "B"] })] }),
    ).rejects.toThrow("env.B is read");
    await expect(load({ tools: [tool("{{env.B}}", { envAllowList: ["A"] })] })).rejects.toThrow(
      "env.B is read",
    );
    const toolset = { schemaVersion: "1.0", envAllowList: ["A", "B"], tools: [tool("{{env.B}}")] };
    writeFileSync(join(dir, "set.mci.json"), JSON.stringify(toolset));
    const entry = { libraryDir: ".", toolsets: ["set"] };
    expect((await call(entry)).text).toBe("value-of-b");
    await expect(load({ ...entry, envAllowList: ["A"] })).rejects.toThrow("env.B is read");
  });

  test("of a server bounds its settings [S-env-allow-list]", async () => {
    const server = { command: "node", args: ["{{env.B}}"], envAllowList: ["A"] };
    await expect(load({ mcp_servers: { s: server } }, { validating: true })).rejects.toThrow("env.B is read");
  });

  test("is checked by lint, which also says what nothing reads [S-env-allow-list]", async () => {
    const file = join(dir, "lint.mci.json");
    const document = { schemaVersion: "1.0", envAllowList: ["A", "C"], tools: [tool("{{env.A}}{{env.B}}")] };
    writeFileSync(file, JSON.stringify(document));
    const { problems } = await lintFile(file, { env });
    expect(problems.map(({ message, severity }) => `${severity}: ${message}`).sort()).toEqual([
      "error: env.B is read, and envAllowList does not name it",
      "warning: Callers are asked for 'name', and nothing uses it",
      "warning: Nothing in this file reads env.C",
    ]);
  });
});
