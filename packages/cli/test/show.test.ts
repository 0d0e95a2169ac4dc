import { describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { file } from "./files.ts";
import { mciHere } from "./in-process.ts";
import { folder } from "./mci.ts";

const create = (url: string) => ({
  name: "create",
  description: "Creates an issue",
  annotations: { destructiveHint: false },
  inputSchema: {
    type: "object",
    properties: {
      title: { type: "string", description: "Its title" },
      labels: { type: "array", items: { type: "string" } },
      count: { type: "integer", default: 3 },
    },
    required: ["title"],
  },
  execution: {
    type: "http",
    method: "POST",
    url: `${url}/issues`,
    params: { n: "{!!props.count!!}" },
    auth: { type: "bearer", token: "{{env.API_TOKEN}}" },
    body: { json: { title: "{{props.title}}", labels: "{!!props.labels!!}" } },
  },
});

describe("[C-dry-run] a dry run prints what would be sent, and sends nothing", () => {
  test("a request, as text and as JSON", async () => {
    let requests = 0;
    const { url } = await serve((_, response) => {
      requests++;
      response.end();
    });
    const cwd = folder({ "mci.json": file(create(url)) });
    const env = { API_TOKEN: "very-secret-token" };
    const { code, stdout } = await mciHere(["call", "create", "title=Bug", "--dry-run"], { cwd, env });
    expect(code).toBe(0);
    expect(stdout).toContain(`POST ${url}/issues?n=3\n`);
    expect(stdout).toContain("Authorization: Bearer ***\n");
    expect(stdout.endsWith('\n\n{"title":"Bug"}\n')).toBe(true);
    const json = await mciHere(["call", "create", "title=Bug", "--dry-run", "--format", "json"], {
      cwd,
      env,
    });
    expect(JSON.parse(json.stdout)).toMatchObject({ type: "http", method: "POST", body: '{"title":"Bug"}' });
    expect(stdout + json.stdout).not.toContain("very-secret-token");
    expect(requests).toBe(0);
  });

  test("a command, quoted as a shell would need it", async () => {
    const tool = {
      name: "run",
      execution: { type: "cli", command: "echo", args: ["{{props.v}}"], env: { A: "1" } },
    };
    const cwd = folder({ "mci.json": file(tool) });
    const { stdout } = await mciHere(["call", "run", "v=it's; rm", "--dry-run"], { cwd });
    expect(stdout).toBe(`echo 'it'\\''s; rm'\nIn: ${cwd}\nVariables: A\n`);
  });

  test("a call that would fail says so, and exits with an error", async () => {
    const tool = { name: "read", execution: { type: "file", path: "{{props.v}}" } };
    const cwd = folder({ "mci.json": file(tool) });
    const { code, stderr } = await mciHere(["call", "read", "v=../x", "--dry-run"], { cwd });
    expect(code).toBe(1);
    expect(stderr).toContain("path_refused");
  });
});

describe("[C-show] a tool is shown with its input, where each value goes, its variables and permissions", () => {
  test("to read", async () => {
    const cwd = folder({ "mci.json": file(create("https://api.example.com")) });
    const { code, stdout } = await mciHere(["show", "create"], {
      cwd,
      env: { API_TOKEN: "very-secret-token" },
    });
    expect(code).toBe(0);
    expect(stdout).toContain("create (main, http)\nCreates an issue\nPOST https://api.example.com/issues\n");
    expect(stdout).toMatch(/title \* +string +body title +Its title\n/);
    expect(stdout).toMatch(/count +integer = 3 +query n\n/);
    expect(stdout).toMatch(/API_TOKEN +set \(environment\) +auth token\n/);
    expect(stdout).toContain("destructiveHint: false\n");
    expect(stdout).not.toContain("very-secret-token");
  });

  test("as data", async () => {
    const tool = {
      name: "list",
      directoryAllowList: ["/srv/data"],
      inputSchema: { type: "object", properties: { dir: { enum: ["a", "b"] }, all: { type: "boolean" } } },
      execution: {
        type: "cli",
        command: "ls",
        args: ["{{props.dir}}"],
        flags: { "-a": { from: "props.all", type: "boolean" } },
        inheritEnv: ["LANG"],
        allowDashValues: true,
      },
    };
    const cwd = folder({ "mci.json": file(tool) });
    const { stdout } = await mciHere(["show", "list", "--format", "json"], { cwd, env: {} });
    expect(JSON.parse(stdout)).toEqual({
      name: "list",
      source: "main",
      description: "",
      type: "cli",
      target: "ls {{props.dir}}",
      input: [
        { name: "dir", type: '"a"|"b"', required: false, goes_to: ["argument 1"], description: "" },
        { name: "all", type: "boolean", required: false, goes_to: ["flag -a"], description: "" },
      ],
      variables: [
        { name: "LANG", is_set: false, has_fallback: true, goes_to: ["environment of the command"] },
      ],
      permissions: { any_paths: false, directories: ["/srv/data"], dash_values: true },
      annotations: {},
    });
  });

  test("with the states of variables in the words of 'mci envs'", async () => {
    const url = "https://api.example.com/{{env.A}}/{{env.B|'b'}}/{{env.C|'c'}}?c={{env.C}}";
    const headers = { D: "{{env.D}}", E: "{{env.E}}", "x-f": "{{env.EMPTY}}" };
    const tool = { name: "read", execution: { type: "http", url, headers } };
    const cwd = folder({ "mci.json": file(tool), ".env": "D=very-secret-value" });
    const options = { cwd, env: { E: "very-secret-value", EMPTY: "" } };
    const states = (text: string) =>
      Array.from(
        text.matchAll(/^ *([A-E]|EMPTY)(?:\t| {2,})([^\t\n]*?)(?:\t| {2,})/gm),
        ([, ...found]) => found,
      );
    const [shown, listed] = [await mciHere(["show", "read"], options), await mciHere(["envs"], options)];
    expect(states(shown.stdout)).toEqual([
      ["A", "missing"],
      ["B", "not set (has a fallback)"],
      ["C", "missing"],
      ["D", "set (.env)"],
      ["E", "set (environment)"],
      ["EMPTY", "empty (environment)"],
    ]);
    expect(states(listed.stdout)).toEqual(states(shown.stdout));
  });

  test("a text whose file chooses its language", async () => {
    const text = "{% for x in range(2) %}{{ props.word }}{% endfor %}{{ env.SIGNATURE }}";
    const tool = {
      name: "say",
      inputSchema: { type: "object", properties: { word: { type: "string" } } },
      execution: { type: "text", text },
    };
    const inFile = { schemaVersion: "1.0", templateEngine: "jinja2", tools: [tool] };
    const files: readonly Readonly<Record<string, string>>[] = [
      { "mci.json": JSON.stringify(inFile) },
      {
        "mci.json": JSON.stringify({ schemaVersion: "1.0", libraryDir: "./lib", toolsets: ["words"] }),
        "lib/words.mci.json": JSON.stringify(inFile),
      },
    ];
    for (const each of files) {
      const { stdout } = await mciHere(["show", "say", "--format", "json"], { cwd: folder(each), env: {} });
      expect(JSON.parse(stdout)).toMatchObject({
        input: [{ name: "word", goes_to: ["text"] }],
        variables: [{ name: "SIGNATURE", goes_to: ["text"] }],
      });
    }
  });

  test("references, choices, enums and objects are written out", async () => {
    const tool = {
      name: "find",
      inputSchema: {
        $defs: {
          user: {
            type: "object",
            properties: { id: { type: "integer" }, role: { enum: ["admin", "guest"] } },
            required: ["id"],
          },
          input: {
            properties: {
              owner: { $ref: "#/$defs/user" },
              team: { type: "array", items: { $ref: "#/$defs/user" } },
              when: { anyOf: [{ type: "string", format: "date" }, { type: "integer" }, { type: "null" }] },
              either: { oneOf: [{ $ref: "#/$defs/user" }, { const: "me" }] },
              size: { type: ["integer", "null"], default: 3 },
            },
            required: ["owner"],
          },
        },
        $ref: "#/$defs/input",
      },
      execution: { type: "text", text: "{{props.owner.id}} {{props.when}}" },
    };
    const cwd = folder({ "mci.json": file(tool) });
    const { stdout } = await mciHere(["show", "find", "--format", "json"], { cwd });
    const rows = JSON.parse(stdout).input.map(
      ({ name, type, required, goes_to }: Record<string, unknown>) => [name, type, required, goes_to],
    );
    expect(rows).toEqual([
      ["owner", "object", true, ["text"]],
      ["owner.id", "integer", true, []],
      ["owner.role", '"admin"|"guest"', false, []],
      ["team", "array of object", false, []],
      ["team[].id", "integer", true, []],
      ["team[].role", '"admin"|"guest"', false, []],
      ["when", "string | integer | null", false, ["text"]],
      ["either", '{id: integer, role?: "admin"|"guest"} | "me"', false, []],
      ["size", "integer|null", false, []],
    ]);
  });

  test("a choice of properties, fixed values, the result and its pages are shown", async () => {
    const list = {
      name: "list",
      inputSchema: {
        type: "object",
        properties: { owner: { type: "string" }, key: { type: "string" }, page: { type: "integer" } },
        anyOf: [{ required: ["owner"] }, { required: ["key"] }],
      },
      execution: {
        type: "http",
        url: "https://api.example.com/{{props.owner}}",
        pagination: { next: { select: "cursor", param: "after" }, items: "data", maxPages: 3 },
      },
      result: { select: "[].id", maxItems: 20 },
    };
    const overrides = { list: { properties: { page: { value: 7 }, key: { hidden: true } } } };
    const cwd = folder({
      "mci.json": { ...file(), toolsets: [{ name: "api", overrides }] },
      "mci/api.mci.json": file(list),
    });
    const { stdout } = await mciHere(["show", "list"], { cwd });
    expect(stdout).toContain("Fixed by the file:\n  page = 7\n  key: not sent\n");
    expect(stdout).toContain(
      "Result:\n  select: [].id\n  maxItems: 20\n  pages: the next one by cursor, sent as after\n  pages: items data\n  pages: maxPages 3\n",
    );
    const own = folder({ "mci.json": file(list) });
    expect((await mciHere(["show", "list"], { cwd: own })).stdout).toContain("Give one of: owner; or key.\n");
  });

  test("an unknown tool is an error with a suggestion", async () => {
    const cwd = folder({ "mci.json": file(create("https://api.example.com")) });
    const { code, stderr } = await mciHere(["show", "creat"], { cwd });
    expect(code).not.toBe(0);
    expect(stderr).toContain("Did you mean 'create'?");
  });
});
