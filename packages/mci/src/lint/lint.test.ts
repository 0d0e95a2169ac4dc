import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { file, folder, text } from "../../test/lint/support.ts";
import { lintFile } from "./lint.ts";

async function envsOf(document: object, others: Record<string, string | object> = {}, env = {}) {
  const root = folder({ "mci.json": document, ...others });
  const { envs } = await lintFile(join(root, "mci.json"), { env });
  return envs.map(({ name, hasFallback, usedBy }) => `${name}${hasFallback ? "?" : ""} ${usedBy}`).sort();
}

test.each([
  ["{{env.A}}", ["A main"]],
  ["{{ env.A }}", ["A main"]],
  ["{{env.A|'x'}}", ["A? main"]],
  ["{{props.x|env.A}}", ["A main"]],
  ["{{env.A | env.B | 'x'}}", ["A? main", "B? main"]],
  ["@if(env.A)x@endif", ["A? main"]],
  ["@foreach(x in env.A){{x}}@endforeach", ["A main"]],
  ['{{ env["odd name"] }}', ["odd name main"]],
  ["@verbatim {{env.A}} @endverbatim @{{env.B}}", []],
])("[I-envs] in a text %s is found as %j", async (source, expected) => {
  expect(await envsOf(file(text(source)))).toEqual(expected);
});

test("[I-envs] variables are found in every templated place of every kind of tool", async () => {
  const document = {
    schemaVersion: "1.0",
    libraryDir: "{{env.LIB|'./mci'}}",
    directoryAllowList: ["{{env.ROOT}}"],
    tools: [
      {
        name: "http",
        execution: {
          type: "http",
          method: "{{env.METHOD}}",
          url: "https://{{env.HOST}}/",
          headers: { A: "{{env.HEADER}}" },
          params: { a: ["{!!env.PARAM!!}"] },
          auth: {
            type: "oauth2",
            flow: "clientCredentials",
            tokenUrl: "{{env.TOKEN_URL}}",
            clientId: "{{env.ID}}",
            clientSecret: "{{env.SECRET}}",
            scopes: ["{{env.SCOPE}}"],
          },
          body: { type: "json", content: { a: { b: "{{env.BODY}}" } } },
          timeout_ms: "{{env.TIMEOUT}}",
        },
      },
      {
        name: "cli",
        directoryAllowList: ["{{env.DIR}}"],
        execution: {
          type: "cli",
          command: "{{env.COMMAND}}",
          args: ["{{env.ARG}}"],
          flags: { "--a": { from: "env.FLAG", type: "value" } },
          cwd: "{{env.CWD}}",
          env: { A: "{{env.CHILD}}" },
          inheritEnv: ["INHERITED"],
        },
      },
      { name: "file", execution: { type: "file", path: "{{env.FILE}}" } },
      {
        name: "jinja",
        execution: { type: "text", text: "{% if env.JINJA %}x{% endif %}", templateEngine: "jinja2" },
      },
    ],
    toolsets: [{ name: "set", directoryAllowList: ["{{env.SET_DIR}}"] }],
    mcp_servers: {
      a: { command: "{{env.RUN}}", args: ["{{env.RUN_ARG}}"], env: { K: "{{env.RUN_ENV}}" } },
      b: {
        url: "https://{{env.B_HOST}}",
        headers: { K: "{{env.B_KEY}}" },
        config: { expDays: "{{env.B_DAYS}}" },
      },
    },
  };
  const set = file(text("{{env.FROM_SET}}"));
  expect(await envsOf(document, { "mci/set.mci.json": set })).toEqual(
    [
      ...[
        "ARG",
        "BODY",
        "CHILD",
        "COMMAND",
        "CWD",
        "DIR",
        "FILE",
        "FLAG?",
        "HEADER",
        "HOST",
        "ID",
        "INHERITED?",
      ],
      ...["JINJA?", "LIB?", "METHOD", "PARAM", "ROOT", "SCOPE", "SECRET", "SET_DIR", "TIMEOUT", "TOKEN_URL"],
    ]
      .map((name) => `${name} main`)
      .concat([
        "B_DAYS mcp:b",
        "B_HOST mcp:b",
        "B_KEY mcp:b",
        "FROM_SET set",
        "RUN mcp:a",
        "RUN_ARG mcp:a",
        "RUN_ENV mcp:a",
      ])
      .sort(),
  );
});

test("[I-envs] file templates and what they include are looked into", async () => {
  const document = file({ name: "f", execution: { type: "file", path: "{{env.DIR|'pages'}}/a.md" } });
  const pages = { "pages/a.md": '{{env.A}}\n@include("b.md")', "pages/b.md": "{{env.B}}" };
  expect(await envsOf(document, pages)).toEqual(["A main", "B main", "DIR? main"]);
});

test("[I-envs] toolsets are found as the loader finds them: folders, exact names, YAML", async () => {
  const set = (name: string) => ({ schemaVersion: "1.0", tools: [{ ...text(`{{env.${name}}}`), name }] });
  const document = { schemaVersion: "1.0", toolsets: ["dir", "exact.mci.json", "y"] };
  const yaml =
    'schemaVersion: "1.0"\ntools:\n  - name: y\n    execution: { type: text, text: "{{env.Y}}" }\n';
  const others = {
    "mci/dir/1.mci.json": set("D1"),
    "mci/dir/2.mci.json": set("D2"),
    "mci/exact.mci.json": set("E"),
    "mci/y.mci.yaml": yaml,
  };
  expect(await envsOf(document, others)).toEqual(["D1 dir", "D2 dir", "E exact.mci.json", "Y y"]);
  expect(await envsOf({ schemaVersion: "1.0", tools: [], toolsets: null })).toEqual([]);
});

test("a use knows its file, line, column and tool", async () => {
  const root = folder({
    "mci.yaml":
      'schemaVersion: "1.0"\ntools:\n  - name: t\n    execution:\n      type: text\n      text: "a {{env.A}}"\n',
  });
  const { envs } = await lintFile(join(root, "mci.yaml"));
  expect(envs).toEqual([
    {
      name: "A",
      hasFallback: false,
      usedBy: "main",
      tool: "t",
      file: join(root, "mci.yaml"),
      line: 6,
      column: 18,
      path: "tools[0].execution.text",
    },
  ]);
});

test("errors of the format, of templates and of file templates are reported together", async () => {
  const root = folder({
    "mci.json": file(
      { name: "a", execution: { type: "htp" } },
      { name: "b", execution: { type: "text", text: "@if(x" } },
      { name: "c", execution: { type: "file", path: "c.md" } },
      { name: "d", execution: { type: "file", path: "missing.md" } },
      { ...text(""), name: "f", inputSchema: { properties: { a: { type: "strin" } } } },
      { name: "e", tagz: [], execution: { type: "text", text: "" } },
    ),
    "c.md": "line\n{{ open",
  });
  const { problems } = await lintFile(join(root, "mci.json"));
  const found = problems.map(
    ({ severity, path = "", file = "", line }) => `${severity} ${path || file.replace(root, "")}:${line}`,
  );
  expect(found).toEqual([
    "error tools[0].execution.type:7",
    expect.stringMatching(/^error tools\[1\]\.execution\.text/),
    expect.stringMatching(/^warning tools\[3\]\.execution\.path/),
    expect.stringMatching(/^warning tools\[4\]\.inputSchema\.properties\.a:/),
    expect.stringMatching(/^error tools\[4\]\.inputSchema\.properties\.a\.type/),
    expect.stringMatching(/^warning tools\[5\]\.tagz/),
    "error /c.md:2",
  ]);
});

test.each([
  [{ type: "object", properties: { a: {} } }, ["b"]],
  [{ type: "object", properties: { a: {} }, additionalProperties: false }, ["b"]],
  [{ type: "object", properties: {}, additionalProperties: false }, ["a", "b"]],
  [{ type: "object", properties: { a: {} }, required: ["b"] }, []],
  [{ type: "object", properties: { a: {} }, additionalProperties: true }, []],
  [{ type: "object", properties: { a: {} }, patternProperties: { "^b": {} } }, []],
  [{ type: "object", properties: { a: {} }, allOf: [{ properties: { b: {} } }] }, []],
  [{ type: "object" }, []],
  [undefined, []],
])("[I-unreachable] with %j the properties no call can have are %j", async (inputSchema, expected) => {
  const root = folder({
    "mci.json": file({ ...text("{{props.a}}{{input.b|'x'}}{{properties.b}}"), inputSchema }),
  });
  const { problems } = await lintFile(join(root, "mci.json"));
  const names = problems.flatMap(
    ({ message }) => /'props\.(\w+)' never has a value/.exec(message)?.[1] ?? [],
  );
  expect([...new Set(names)]).toEqual(expected);
  expect(problems.every(({ severity }) => severity === "warning")).toBe(true);
});

test("commands are known where no call decides them", async () => {
  const root = folder({
    "mci.json": {
      ...file(
        { name: "a", execution: { type: "cli", command: "{{env.R | 'node'}}" } },
        { name: "b", execution: { type: "cli", command: "{{props.x}}" } },
        { name: "c", execution: { type: "cli", command: "{{env.UNSET}}" } },
      ),
      mcp_servers: { s: { command: "serve" } },
    },
  });
  const { commands } = await lintFile(join(root, "mci.json"), { env: { R: "ruby" } });
  expect(commands.map(({ command, usedBy, tool, cwd }) => ({ command, usedBy, tool, cwd }))).toEqual([
    { command: "ruby", usedBy: "main", tool: "a", cwd: root },
    { command: "serve", usedBy: "mcp:s", tool: undefined, cwd: root },
  ]);
});

test("[I-code] a value of the caller in a shell's script is a warning with its place", async () => {
  const execution = { type: "cli", command: "sh", args: ["-c", "echo {{props.x}}"] };
  const root = folder({ "mci.json": file({ name: "say", execution }) });
  const { problems } = await lintFile(join(root, "mci.json"));
  expect(problems).toMatchObject([
    {
      severity: "warning",
      path: "tools[0].execution.args[1]",
      line: 11,
      message: expect.stringContaining("sh runs"),
    },
  ]);
});

test("[I-credentials] credentials for a host of the caller's choice are a warning with their place", async () => {
  const execution = {
    type: "http",
    url: "{{props.url}}",
    headers: { Authorization: "Bearer {{env.TOKEN}}" },
  };
  const root = folder({ "mci.json": file({ name: "fetch", execution }) });
  const { problems } = await lintFile(join(root, "mci.json"));
  expect(problems).toMatchObject([
    {
      severity: "warning",
      path: "tools[0].execution.url",
      message: "The caller chooses the host that receives env.TOKEN",
    },
  ]);
});

test("nothing is started and nothing is written", async () => {
  const root = folder({
    "mci.json": {
      schemaVersion: "1.0",
      mcp_servers: { s: { command: process.execPath, args: ["-e", "fs.writeFileSync('started','')"] } },
    },
  });
  const { problems } = await lintFile(join(root, "mci.json"));
  expect(problems).toEqual([]);
  expect(readdirSync(root)).toEqual(["mci.json"]);
});

test.each([
  ["missing.json", undefined],
  ["mci.txt", "x"],
  ["mci.json", "{ nope"],
  ["mci.yaml", "a: [\n"],
  ["mci.json", "[]"],
])("a file that cannot be understood (%s) is a problem, not an exception", async (name, content) => {
  const root = folder(content === undefined ? {} : { [name]: content });
  const { problems, envs, commands } = await lintFile(join(root, name));
  expect(problems).not.toEqual([]);
  expect({ envs, commands }).toEqual({ envs: [], commands: [] });
});

test("the files behind the tools are known: the file, its toolsets' files and folders", async () => {
  const root = folder({
    "mci.json": { schemaVersion: "1.0", toolsets: ["one", "many", "missing"] },
    "mci/one.mci.json": file(text("1")),
    "mci/many/a.mci.yaml": "schemaVersion: '1.0'\ntools: []\n",
    "mci/many/notes.md": "",
    "mci/other.mci.json": file(text("2")),
  });
  const { files } = await lintFile(join(root, "mci.json"));
  expect(files).toEqual(
    ["mci.json", "mci/one.mci.json", "mci/many", "mci/many/a.mci.yaml"].map((path) => join(root, path)),
  );
  expect((await lintFile(join(root, "nowhere.json"))).files).toEqual([]);
});

test("text that is not saved is linted in place of the file", async () => {
  const root = folder({ "mci.json": file(text("{{env.SAVED}}")) });
  const path = join(root, "mci.json");
  const unsaved = JSON.stringify(file(text("{{env.UNSAVED}}")));
  expect((await lintFile(path, { source: unsaved })).envs.map(({ name }) => name)).toEqual(["UNSAVED"]);
  const { problems } = await lintFile(path, { source: '{\n  "schemaVersion": "1.0",\n  "tools": [,]\n}' });
  expect(problems[0]).toMatchObject({ severity: "error", line: 3, file: path });
  expect((await lintFile(path)).problems).toEqual([]);
});
