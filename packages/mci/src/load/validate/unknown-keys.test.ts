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
  const meant = (name: string) => `did you mean '${name}'?`;
  const ignored = "it is ignored";
  test.each([
    ["tols", meant("tools"), { schemaVersion: "1.0", tools: [], tols: [] }],
    ["metadata.licence", meant("license"), { schemaVersion: "1.0", tools: [], metadata: { licence: "MIT" } }],
    ["tool 't', input_schema", meant("inputSchema"), withTool({ input_schema: {} })],
    [
      "tool 't', timeout_ms",
      "it belongs in 'execution'",
      withTool({ execution: { type: "http", url: "u" }, timeout_ms: 5 }),
    ],
    ["tool 't', url", ignored, withTool({ url: "u" })],
    [
      "tool 't', execution.tags",
      "it belongs beside 'execution', not in it",
      withTool({ execution: { ...text, tags: [] } }),
    ],
    ["tool 't', tools", ignored, withTool({ tools: [] })],
    ["tool 't', toolset_source", ignored, withTool({ toolset_source: "x" })],
    [
      "tool 't', annotations.readonlyhint",
      meant("readOnlyHint"),
      withTool({ annotations: { readonlyhint: true } }),
    ],
    ["tool 't', execution.url", ignored, withTool({ execution: { ...text, url: "u" } })],
    [
      "tool 't', execution.param",
      meant("params"),
      withTool({ execution: { type: "http", url: "u", param: {} } }),
    ],
    [
      "tool 't', execution.retries.attempt",
      meant("attempts"),
      withTool({ execution: { type: "http", url: "u", retries: { attempt: 1 } } }),
    ],
    [
      "tool 't', execution.auth.tokn",
      meant("token"),
      withTool({
        execution: { type: "http", url: "u", auth: { type: "bearer", token: "x", tokn: "" } },
      }),
    ],
    [
      "tool 't', execution.body.contents",
      meant("content"),
      withTool({
        execution: { type: "http", url: "u", body: { type: "raw", content: "", contents: "" } },
      }),
    ],
    [
      "tool 't', execution.body.headers",
      "it belongs beside 'body', not in it",
      withTool({ execution: { type: "http", url: "u", body: { json: {}, headers: {} } } }),
    ],
    [
      "tool 't', execution.flags[\"-a\"].sep",
      ignored,
      withTool({
        execution: {
          type: "cli",
          command: "x",
          flags: { "-a": { from: "props.a", type: "value", sep: "" } },
        },
      }),
    ],
    ["toolsets[0].tags", ignored, { schemaVersion: "1.0", toolsets: [{ name: "a", tags: [] }] }],
    [
      "mcp_servers.s.header",
      meant("headers"),
      { schemaVersion: "1.0", mcp_servers: { s: { url: "u", header: {} } } },
    ],
    [
      "mcp_servers.s.config.expdays",
      meant("expDays"),
      { schemaVersion: "1.0", mcp_servers: { s: { command: "c", config: { expdays: 1 } } } },
    ],
    ["__proto__", ignored, JSON.parse('{"schemaVersion": "1.0", "tools": [], "__proto__": {}}')],
    ["constructor", ignored, { schemaVersion: "1.0", tools: [], constructor: 1 }],
  ])("%s: %s", async (place, hint, data) => {
    const [key] = /\w+$/.exec(place)!;
    expect(await warnings(data)).toEqual([`${place}: Unknown key '${key}' — ${hint}`]);
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
