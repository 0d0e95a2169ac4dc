import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { echo, file, greet } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const cli = (command: string) => ({ name: "c", execution: { type: "cli", command } });

async function validate(
  document: object | string,
  args: string[] = [],
  env: Record<string, string> = { PATH: process.env.PATH ?? "" },
) {
  const cwd = folder({ "mci.json": document });
  return { cwd, ...(await mciHere(["validate", ...args], { cwd, env })) };
}

test("a file without problems: exit 0 and one line", async () => {
  expect(await validate(file(greet, echo))).toMatchObject({
    code: 0,
    stdout: "mci.json: valid\n",
    stderr: "",
  });
});

test("[C-validate] every error and warning has file:line:column, a code frame and a hint", async () => {
  const text = `{
  "schemaVersion": "1.0",
  "tools": [
    {
      "name": "a",
      "tagz": ["x"],
      "inputSchema": { "type": "object", "properties": { "name": {} } },
      "execution": { "type": "text", "text": "{{props.nmae}}" }
    },
    { "name": "b", "execution": { "type": "htp", "url": "x" } },
    { "name": "c", "execution": { "type": "text", "text": "@if(props.x" } }
  ]
}
`;
  const { code, stdout } = await validate(text);
  expect(code).toBe(1);
  expect(stdout).toContain(`mci.json:6:7 (tool 'a', tagz): warning: Unknown key 'tagz'
    5 |       "name": "a",
  > 6 |       "tagz": ["x"],
      |       ^
    7 |       "inputSchema": { "type": "object", "properties": { "name": {} } },
  hint: did you mean 'tags'?
`);
  expect(stdout).toContain(
    "mci.json:8:49 (tool 'a', execution.text): warning: 'props.nmae' never has a value",
  );
  expect(stdout).toContain("hint: did you mean 'name'?");
  expect(stdout).toMatch(/mci\.json:10:\d+ \(tool 'b', execution\.type\): error: /);
  expect(stdout).toMatch(/mci\.json:11:\d+ \(tool 'c', execution\.text\): error: /);
  expect(stdout).toMatch(/\nmci\.json: not valid \(2 errors, 3 warnings\)\n$/);
});

test("syntax errors are shown where they are, in JSON and YAML", async () => {
  const json = await validate('{\n  "schemaVersion": "1.0",\n  "tools": [,]\n}\n');
  expect(json.code).toBe(1);
  expect(json.stdout).toMatch(/mci\.json:3:\d+: error: /);
  const yaml = await mciHere(["validate"], {
    cwd: folder({ "mci.yaml": "schemaVersion: '1.0'\ntools: [\n" }),
  });
  expect(yaml.code).toBe(1);
  expect(yaml.stdout).toMatch(/mci\.yaml:\d+:\d+: error: /);
});

test("warnings count only with --strict", async () => {
  const document = { ...file(greet), extra: 1 };
  expect((await validate(document)).code).toBe(0);
  expect((await validate(document, ["--strict"])).code).toBe(1);
});

test("the same for other programs", async () => {
  const { code, stdout, cwd } = await validate(
    { ...file({ name: "b", execution: { type: "htp" } }), extra: 1 },
    ["--format", "json"],
  );
  expect(code).toBe(1);
  const report = JSON.parse(stdout);
  expect(report).toMatchObject({ valid: false, errors: 1, warnings: 1, files: [`${cwd}/mci.json`] });
  expect(report.problems[0]).toMatchObject({
    severity: "error",
    file: `${cwd}/mci.json`,
    line: 7,
    path: "tools[0].execution.type",
  });
});

test("several files are checked, toolset files too; one that is missing is an error", async () => {
  const cwd = folder({ "a.json": file(greet), "b.json": file({ name: "x" }) });
  const { code, stdout } = await mciHere(["validate", "a.json", "b.json", "gone.json"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain("a.json: valid\n");
  expect(stdout).toContain("b.json: not valid (1 error)\n");
  expect(stdout).toContain("gone.json: not valid (1 error)\n");
});

test("[C-toolset] a missing toolset is an error, and toolset files are looked into", async () => {
  const document = { schemaVersion: "1.0", toolsets: ["set", "gone"] };
  const cwd = folder({ "mci.json": document, "mci/set.mci.json": file({ ...echo, tagz: [] }) });
  const { code, stdout } = await mciHere(["validate"], { cwd });
  expect(code).toBe(1);
  expect(stdout).toContain("error: Toolset not found: gone.");
  expect(stdout).toMatch(/mci\/set\.mci\.json:\d+:\d+ \(tool 'echo', tagz\): warning/);
});

test.each([
  ["no-such-program-here", ["Command not found in PATH: no-such-program-here (tool: c)"]],
  ["./no-such-script.sh", ["Command not found: CWD/no-such-script.sh (tool: c)"]],
  ["node", []],
  ["{{env.RUNTIME | 'node'}}", []],
  ["{{env.RUNTIME | 'no-such-program-here'}}", ["Command not found in PATH: no-such-program-here (tool: c)"]],
  ["{{props.command}}", []],
])("[C-path] command %j gives %j", async (command, expected) => {
  const { stdout, code, cwd } = await validate(file(cli(command)));
  expect(code).toBe(0);
  const warnings = [...stdout.matchAll(/warning: (.*)/g)].map(([, message]) => message);
  expect(warnings.map((message) => message?.replace(cwd, "CWD"))).toEqual(expected);
});

test("[C-path] a whole command line as the command is split in the hint", async () => {
  const { stdout } = await validate(file(cli("node --version -p")));
  expect(stdout).toContain('hint: there is no shell: write "command": "node", "args": ["--version","-p"]');
});

test("[C-path] a missing MCP server command is named with its server", async () => {
  const { stdout } = await validate({
    schemaVersion: "1.0",
    mcp_servers: { s: { command: "no-such-server" } },
  });
  expect(stdout).toContain("warning: MCP server command not found in PATH: no-such-server (server: s)");
});

test("[C-unset] a variable that is not set is a warning at its first use, unless it has a fallback", async () => {
  const tool = {
    name: "t",
    execution: { type: "text", text: "{{env.A}} {{env.A}} {{env.B | 'b'}} {{env.C}}" },
  };
  const { stdout } = await validate(file(tool), [], { C: "1" });
  expect([...stdout.matchAll(/warning: (.*)/g)].map(([, message]) => message)).toEqual([
    "Variable not set: A",
  ]);
  expect((await validate(file(tool), ["--env", "A=1", "--strict"], { C: "1" })).code).toBe(0);
});

test("[C-unset] a variable that is set to nothing is a warning, too", async () => {
  const tool = { name: "t", execution: { type: "text", text: "{{env.A}} @if(env.B)b@endif" } };
  const { code, stdout } = await validate(file(tool), [], { A: "", B: "" });
  expect(code).toBe(0);
  expect([...stdout.matchAll(/warning: (.*)/g)].map(([, message]) => message)).toEqual([
    "Variable is set, but empty: A",
  ]);
});

test("nothing is started, connected to or written", async () => {
  const mark = `require("fs").writeFileSync("started", "")`;
  const { cwd, code } = await validate({
    ...file({ name: "c", execution: { type: "cli", command: process.execPath, args: ["-e", mark] } }),
    mcp_servers: { s: { command: process.execPath, args: ["-e", mark] } },
  });
  expect(code).toBe(0);
  expect(readdirSync(cwd)).toEqual(["mci.json"]);
});

test("keys of other adapters' documents are recognized as such", async () => {
  const tool = { name: "t", execution: { type: "mcp", server: "s", tool: "x" } };
  const { code, stdout } = await validate({
    ...file(tool),
    mcp_servers: { s: { url: "https://example.com" } },
  });
  expect(code).toBe(1);
  expect(stdout).toContain("Missing required field 'serverName'");
  expect(stdout).toContain("Missing required field 'toolName'");
});

test("[C-validate] no value of a variable is printed, in text or JSON, whatever is made of it", async () => {
  const secret = "sk-live-4f9a81c2";
  const document = {
    ...file(
      { name: "f", execution: { type: "file", path: "pages/{{env.KEY}}.md" } },
      cli("./{{env.KEY}}/run"),
      {
        ...cli("{{env.KEY}}"),
        name: "d",
      },
    ),
    libraryDir: "{{env.KEY}}",
    toolsets: ["set"],
    mcp_servers: { s: { command: "{{env.KEY}}" } },
  };
  const env = { PATH: process.env.PATH ?? "", KEY: secret };
  for (const args of [[], ["--format", "json"]]) {
    const { stdout, stderr } = await validate(document, args, env);
    expect(stdout).toMatch(/File not found: pages\/\*\*\*\.md/);
    expect(stdout).toMatch(/Command not found in PATH: \*\*\*/);
    expect(stdout + stderr).not.toContain(secret);
  }
});

test("--filter judges the chosen tools, those of toolsets included, and what belongs to no tool", async () => {
  const bad = (name: string, tags: string[]) => ({ name, tags, execution: { type: "htp" } });
  const unset = { name: "unset", execution: { type: "text", text: "{{env.NOT_SET}}" } };
  const cwd = folder({
    "mci.json": {
      ...file(greet, unset, bad("b", ["new"])),
      toolsets: [{ name: "set", prefix: "s_" }],
      extra: 1,
    },
    "mci/set.mci.json": file({ ...echo, tags: ["read"] }, bad("c", [])),
  });
  const judge = async (...filters: string[]) => {
    const args = filters.flatMap((filter) => ["--filter", filter]);
    const { stdout, code } = await mciHere(["validate", "--format", "json", ...args], { cwd });
    const { problems } = JSON.parse(stdout) as { problems: { severity: string; message: string }[] };
    return { code, problems: problems.map(({ severity, message }) => `${severity}: ${message}`) };
  };
  expect((await judge()).code).toBe(1);
  expect(await judge("only:greet")).toEqual({ code: 0, problems: ["warning: Unknown key 'extra'"] });
  expect((await judge("only:b")).code).toBe(1);
  expect((await judge("tags:read")).code).toBe(0);
  expect((await judge("only:s_c")).code).toBe(1);
  expect((await judge("toolsets:set", "except:s_c")).code).toBe(0);
  expect((await judge("only:greet,gret")).problems).toContain(
    "warning: No tool has the name 'gret', which the filter names",
  );
  const none = await mciHere(["validate", "--filter", "only:gret"], { cwd });
  expect(none).toMatchObject({ code: 2 });
  expect(none.stderr).toContain("No tool of mci.json passes 'only:gret'");
});
