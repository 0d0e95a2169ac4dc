import { describe, expect, test } from "vitest";
import { parseObject, parseSource } from "../parse/parse.ts";
import { formatProblem } from "../problems.ts";
import { validateDocument } from "./document.ts";

const text = { type: "text", text: "x" };
const withTool = (tool: object) => ({
  schemaVersion: "1.0",
  tools: [{ name: "t", execution: text, ...tool }],
});
const warnings = async (data: unknown) =>
  (await validateDocument(parseObject(data), { unknownKeys: "warn" })).problems.map((problem) =>
    formatProblem(problem),
  );

describe("[F-forward] a key the format does not know", () => {
  test.each([
    {
      data: { schemaVersion: "1.0", tools: [], tols: [] },
      warning: "tols: Unknown key 'tols' — did you mean 'tools'?",
    },
    {
      data: { schemaVersion: "1.0", tools: [], metadata: { licence: "MIT" } },
      warning: "metadata.licence: Unknown key 'licence' — did you mean 'license'?",
    },
    {
      data: withTool({ input_schema: {} }),
      warning: "tool 't', input_schema: Unknown key 'input_schema' — did you mean 'inputSchema'?",
    },
    {
      data: withTool({ toolset_source: "x" }),
      warning: "tool 't', toolset_source: Unknown key 'toolset_source' — it is ignored",
    },
    {
      data: withTool({ annotations: { readonlyhint: true } }),
      warning:
        "tool 't', annotations.readonlyhint: Unknown key 'readonlyhint' — did you mean 'readOnlyHint'?",
    },
    {
      data: withTool({ execution: { ...text, url: "u" } }),
      warning: "tool 't', execution.url: Unknown key 'url' — it is ignored",
    },
    {
      data: withTool({ execution: { type: "http", url: "u", param: {} } }),
      warning: "tool 't', execution.param: Unknown key 'param' — did you mean 'params'?",
    },
    {
      data: withTool({ execution: { type: "http", url: "u", retries: { attempt: 1 } } }),
      warning: "tool 't', execution.retries.attempt: Unknown key 'attempt' — did you mean 'attempts'?",
    },
    {
      data: withTool({
        execution: { type: "http", url: "u", auth: { type: "bearer", token: "x", tokn: "" } },
      }),
      warning: "tool 't', execution.auth.tokn: Unknown key 'tokn' — did you mean 'token'?",
    },
    {
      data: withTool({
        execution: { type: "http", url: "u", body: { type: "raw", content: "", contents: "" } },
      }),
      warning: "tool 't', execution.body.contents: Unknown key 'contents' — did you mean 'content'?",
    },
    {
      data: withTool({ execution: { type: "http", url: "u", body: { json: {}, headers: {} } } }),
      warning: "tool 't', execution.body.headers: Unknown key 'headers' — it is ignored",
    },
    {
      data: withTool({
        execution: {
          type: "cli",
          command: "x",
          flags: { "-a": { from: "props.a", type: "value", sep: "" } },
        },
      }),
      warning: "tool 't', execution.flags[\"-a\"].sep: Unknown key 'sep' — it is ignored",
    },
    {
      data: { schemaVersion: "1.0", toolsets: [{ name: "a", tags: [] }] },
      warning: "toolsets[0].tags: Unknown key 'tags' — it is ignored",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { s: { url: "u", header: {} } } },
      warning: "mcp_servers.s.header: Unknown key 'header' — did you mean 'headers'?",
    },
    {
      data: { schemaVersion: "1.0", mcp_servers: { s: { command: "c", config: { expdays: 1 } } } },
      warning: "mcp_servers.s.config.expdays: Unknown key 'expdays' — did you mean 'expDays'?",
    },
    {
      data: JSON.parse('{"schemaVersion": "1.0", "tools": [], "__proto__": {}}'),
      warning: "__proto__: Unknown key '__proto__' — it is ignored",
    },
    {
      data: { schemaVersion: "1.0", tools: [], constructor: 1 },
      warning: "constructor: Unknown key 'constructor' — it is ignored",
    },
  ])("$warning", async ({ data, warning }) => {
    expect(await warnings(data)).toEqual([warning]);
  });

  test("is looked for only where the format names the keys", async () => {
    const free = { anything: { goes: [{ here: 1 }] } };
    const data = {
      $schema: "./mci.schema.json",
      ...withTool({
        inputSchema: free,
        execution: {
          type: "http",
          url: "u",
          headers: { anything: "x" },
          params: free,
          body: { type: "json", content: free },
        },
      }),
      mcp_servers: { anything: { command: "c", env: { ANYTHING: "x" } } },
    };
    expect(await warnings(data)).toEqual([]);
  });

  test("is ignored when loading", async () => {
    const { problems } = await validateDocument(parseObject(withTool({ tag: [] })));
    expect(problems).toEqual([]);
  });

  test("is an error where that is asked for, at the line and column of the key", async () => {
    const source = {
      file: "x.yaml",
      path: "/x.yaml",
      format: "yaml",
      text: "schemaVersion: 1.0\ntools: []\ntols: []\n",
    } as const;
    await expect(validateDocument(await parseSource(source), { unknownKeys: "error" })).rejects.toThrow(
      "Failed to load schema from x.yaml: x.yaml:3:1 tols: Unknown key 'tols' — did you mean 'tools'?",
    );
  });

  test("is reported together with other warnings and errors", async () => {
    const json = '{"schemaVersion": "1.0",\n "tols": 1,\n "tools": [], "tools": {}}';
    const source = { file: "x.json", path: "/x.json", format: "json", text: json } as const;
    const error = await validateDocument(await parseSource(source), { unknownKeys: "warn" }).catch(
      (thrown) => thrown,
    );
    expect(error.message.split("\n")).toHaveLength(1);
    expect(error.problems.map(({ severity, line, path }: never) => [severity, line, path])).toEqual([
      ["warning", 2, "tols"],
      ["warning", 3, "tools"],
      ["error", 3, "tools"],
    ]);
  });
});
