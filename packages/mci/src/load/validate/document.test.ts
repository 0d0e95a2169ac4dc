import { describe, expect, test } from "vitest";
import { MCIClientError } from "../../errors.ts";
import { parseObject, parseSource } from "../parse/parse.ts";
import { formatPath, formatProblem } from "../problems.ts";
import { type ValidateOptions, validateDocument } from "./document.ts";

const check = (data: unknown, options?: ValidateOptions) => validateDocument(parseObject(data), options);
const checkText = async (format: "json" | "yaml", text: string, options?: ValidateOptions) =>
  validateDocument(await parseSource({ file: `x.${format}`, path: `/x.${format}`, format, text }), options);

const failure = async (checking: Promise<unknown>): Promise<MCIClientError> => {
  const error: unknown = await checking.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(MCIClientError);
  return error as MCIClientError;
};

/** The problems of a document, as text. */
const problemsOf = async (data: unknown, options?: ValidateOptions) =>
  (await failure(check(data, options))).problems.map((problem) => formatProblem(problem));
const text = { type: "text", text: "hi" };

describe("what a file must hold", () => {
  test.each([
    ["only tools", { tools: [] }],
    ["only toolsets", { toolsets: [] }],
    ["only MCP servers", { mcp_servers: {} }],
    ["null for what is not set", { tools: [], toolsets: null, mcp_servers: null, metadata: null }],
  ])("[F-one-source] %s will do", async (_title, data) => {
    await expect(check({ schemaVersion: "1.0", ...data })).resolves.toMatchObject({ problems: [] });
  });

  const EMPTY = "'tools' has no value: in YAML, indent its items under it";
  test.each([
    [{}, "", 'add a list of tools: "tools": []'],
    [{ tools: null }, "tools: ", EMPTY],
    [{ tools: null, toolsets: null, mcp_servers: null }, "tools: ", EMPTY],
  ])("[F-one-source] %j has no source of tools", async (data, place, hint) => {
    expect(await problemsOf({ schemaVersion: "1.0", ...data })).toEqual([
      `${place}At least one of 'tools', 'toolsets' and 'mcp_servers' must be provided — ${hint}`,
    ]);
  });

  test("lists with holes, which only a document in memory can have, are refused like any other mistake", async () => {
    const [tools, toolsets] = [new Array(1), new Array(2)];
    expect(await problemsOf({ schemaVersion: "1.0", tools, toolsets })).toEqual([
      expect.stringMatching(/^tools\[0\]: /),
      expect.stringMatching(/^toolsets\[0\]: /),
      expect.stringMatching(/^toolsets\[1\]: /),
    ]);
  });

  test.each(["1.0", "1.0.0", "1.0.17"])(
    "[F-version] schemaVersion %s is supported",
    async (schemaVersion) => {
      expect((await check({ schemaVersion, tools: [] })).document.schemaVersion).toBe(schemaVersion);
    },
  );

  test("[F-version] an unquoted 1.0 is understood, in YAML and in JSON", async () => {
    expect((await checkText("yaml", "schemaVersion: 1.0\ntools: []")).document.schemaVersion).toBe("1.0");
    expect((await checkText("json", '{"schemaVersion": 1.0, "tools": []}')).document.schemaVersion).toBe(
      "1.0",
    );
  });

  test.each(["2.0", "1.1", "1", "1.0.", "v1.0", "", "1.0.0-beta", 2, 1.1])(
    "[F-version] schemaVersion %j is not, and the error names what is",
    async (schemaVersion) => {
      const error = await failure(check({ schemaVersion, tools: [] }));
      expect(error.code).toBe("schema_version");
      expect(error.message).toBe(
        `Failed to load the document: schemaVersion: Unsupported schema version '${schemaVersion}'. Supported versions: 1.0, 1.0.N`,
      );
    },
  );

  test.each([
    [`schemaVersion: Missing required field 'schemaVersion' — add "schemaVersion": "1.0"`, { tools: [] }],
    [
      "schemaVersion: Missing required field 'schemaVersion' — is 'schema_version' meant to be it?",
      { schema_version: "1.0", tools: [] },
    ],
    [
      'schemaVersion: Schema version must be a string, found a list — write "1.0"',
      { schemaVersion: ["1.0"], tools: [] },
    ],
    ["Must be an object, found a list", []],
    ["Must be an object, found a string", "x"],
    [`The file is empty — begin with schemaVersion: "1.0" and a list of tools`, null],
  ])("%s", async (problem, data) => {
    expect(await problemsOf(data)).toEqual([problem]);
  });
});

describe("[F-wrong] every problem is reported at once, with file, line, column, path and hint", () => {
  const file = [
    "{",
    '  "schemaVersion": "2.0",',
    '  "tools": [',
    '    { "name": "a", "execution": { "type": "htpp" } },',
    '    { "name": "b", "tags": "x",',
    '      "execution": { "type": "cli", "comand": "ls" } }',
    "  ],",
    '  "toolsets": "weather"',
    "}",
  ].join("\n");

  test("as data", async () => {
    const { problems, code } = await failure(checkText("json", file));
    expect(code).toBe("schema_version");
    expect(problems).toEqual([
      {
        message: "Unsupported schema version '2.0'. Supported versions: 1.0, 1.0.N",
        file: "x.json",
        line: 2,
        column: 20,
        path: "schemaVersion",
        severity: "error",
      },
      {
        message: "Invalid execution type 'htpp'. Valid types: http, cli, file, text, mcp",
        hint: "did you mean 'http'?",
        file: "x.json",
        line: 4,
        column: 43,
        path: "tools[0].execution.type",
        tool: "a",
        severity: "error",
      },
      {
        message: "Must be a list, found a string",
        hint: 'make it a list: ["x"]',
        file: "x.json",
        line: 5,
        column: 28,
        path: "tools[1].tags",
        tool: "b",
        severity: "error",
      },
      {
        message: "Missing required field 'command'",
        hint: "is 'comand' meant to be it?",
        file: "x.json",
        line: 6,
        column: 20,
        path: "tools[1].execution.command",
        tool: "b",
        severity: "error",
      },
      {
        message: "Must be a list, found a string",
        hint: 'make it a list: ["weather"]',
        file: "x.json",
        line: 8,
        column: 15,
        path: "toolsets",
        severity: "error",
      },
    ]);
  });

  test("as a message a person can read", async () => {
    const { message } = await failure(checkText("json", file));
    const lines = message.split("\n");
    expect(lines[0]).toBe("Failed to load schema from x.json: 5 problems");
    expect(lines[2]).toBe(
      "  x.json:4:43 tool 'a', execution.type: Invalid execution type 'htpp'. Valid types: http, cli, file, text, mcp — did you mean 'http'?",
    );
    expect(lines).toHaveLength(6);
  });

  test("a message does not grow without end; the list does", async () => {
    const tools = Array.from({ length: 300 }, (_, index) => ({ name: `t${index}`, execution: {} }));
    const { message, problems } = await failure(check({ schemaVersion: "1.0", tools }));
    expect(problems).toHaveLength(300);
    expect(message.split("\n")).toHaveLength(52);
    expect(message).toMatch(/… and 250 more$/);
  });
});

describe("[L-prefix] two tools of one name", () => {
  test("are an error that names both places", async () => {
    const yaml =
      "schemaVersion: 1.0\ntools:\n  - name: a\n    execution: {type: text, text: x}\n  - name: a\n    execution: {type: text, text: y}\n";
    const { message } = await failure(checkText("yaml", yaml));
    expect(message).toBe(
      "Failed to load schema from x.yaml: x.yaml:5:11 tool 'a', name: Duplicate tool name 'a': the one on line 3 has it too — rename one of them, or set disabled: true on it",
    );
  });

  test("are reported even where one of them is broken otherwise", async () => {
    const tools = [
      { name: "a", execution: text },
      { name: "a", execution: {} },
    ];
    expect(await problemsOf({ schemaVersion: "1.0", tools })).toHaveLength(2);
  });

  test("are fine if all but one are disabled", async () => {
    const tools = [true, "yes", false, 1].map((disabled) => ({ name: "a", disabled, execution: text }));
    await expect(check({ schemaVersion: "1.0", tools })).resolves.toMatchObject({ problems: [] });
  });
});

describe("[F-toolset-file] a toolset file", () => {
  test("must have tools", async () => {
    expect(await problemsOf({ schemaVersion: "1.0", toolsets: ["a"] }, { kind: "toolset" })).toEqual([
      "Missing required field 'tools': a toolset file has a list of tools — add a list of tools: \"tools\": []",
    ]);
  });

  test("includes nothing: what only an entry file may say has no effect, whatever it is", async () => {
    const data = {
      schemaVersion: "1.0",
      tools: [],
      toolsets: 5,
      mcp_servers: "x",
      libraryDir: [],
      expiresAt: "2030-01-01",
    };
    const { document, problems } = await check(data, { kind: "toolset", unknownKeys: "warn" });
    expect(document).toEqual({ schemaVersion: "1.0", tools: [], expiresAt: "2030-01-01" });
    expect(problems.map(({ message }) => message)).toEqual([
      "'toolsets' has no effect in a toolset file",
      "'mcp_servers' has no effect in a toolset file",
      "'libraryDir' has no effect in a toolset file",
    ]);
  });
});

describe("[L-many] ten thousand tools", () => {
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      name: `t${index}`,
      title: "T",
      execution: { ...text, later: 1 },
    }));

  test("come out as a few do", async () => {
    const { document } = await check({ schemaVersion: "1.0", tools: many(10_000) });
    const few = await check({ schemaVersion: "1.0", tools: many(3) });
    expect(document.tools?.slice(0, 3)).toEqual(few.document.tools);
    expect(document.tools).toHaveLength(10_000);
  });

  test("have their problems reported like any other, each with its line", async () => {
    const tools = [
      ...many(10_000).map(({ name }) => ({ name, execution: { type: "txt" } })),
      { name: "t0", execution: text },
    ];
    const { problems } = await failure(
      checkText("json", JSON.stringify({ schemaVersion: "1.0", tools }, null, 1)),
    );
    expect(problems).toHaveLength(10_001);
    expect(problems[9_999]).toMatchObject({
      path: "tools[9999].execution.type",
      line: 60_001,
      hint: "did you mean 'text'?",
    });
    expect(problems[10_000]).toMatchObject({
      path: "tools[10000].name",
      message: expect.stringContaining("on line 5"),
    });
  });
});

test.each([
  ["", []],
  ["tools[0].execution.url", ["tools", 0, "execution", "url"]],
  ['a["X-Key"][3]', ["a", "X-Key", 3]],
  ['["we ird"].x', ["we ird", "x"]],
])("a place reads %s", (expected, place) => {
  expect(formatPath(place)).toBe(expected);
});
