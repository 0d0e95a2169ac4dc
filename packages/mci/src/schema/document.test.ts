import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { document } from "./document.ts";

/** What the loader hands on for a document with one tool. */
const tool = (fields: object) => {
  const parsed = z.parse(document, { schemaVersion: "1.0", tools: [{ name: "t", ...fields }] });
  return parsed.tools?.[0];
};
const execution = (fields: object) => tool({ execution: fields })?.execution;
const http = (fields: object) => execution({ type: "http", url: "u", ...fields });

describe("[F-lenient] other spellings come out as one", () => {
  test.each([
    { written: { json: { a: 1 } }, read: { type: "json", content: { a: 1 } } },
    { written: { json: [1] }, read: { type: "json", content: [1] } },
    { written: { json: "{!!props.o!!}" }, read: { type: "json", content: "{!!props.o!!}" } },
    { written: { form: { a: 1 } }, read: { type: "form", content: { a: 1 } } },
    { written: { raw: "x" }, read: { type: "raw", content: "x" } },
    {
      written: { type: "json", content: [1, { a: null }] },
      read: { type: "json", content: [1, { a: null }] },
    },
    { written: { type: "json", content: "{!!props.o!!}" }, read: { type: "json", content: "{!!props.o!!}" } },
    { written: { type: "form", content: "{!!props.o!!}" }, read: { type: "form", content: "{!!props.o!!}" } },
    { written: { type: "raw", content: "x", json: {} }, read: { type: "raw", content: "x" } },
    { written: null, read: undefined },
  ])("body $written", ({ written, read }) => {
    expect(http({ body: written })).toHaveProperty("body", read);
  });

  test("query is params; where both are given, params come first", () => {
    expect(http({ query: { a: "1" } })).toEqual({ type: "http", url: "u", params: { a: "1" } });
    expect(http({ query: { a: "1", b: "2" }, params: { a: "3" } })).toMatchObject({
      params: { a: "3", b: "2" },
    });
  });

  test("title is annotations.title; where both are given, the annotation comes first", () => {
    const text = { type: "text", text: "x" };
    expect(tool({ title: "A", execution: text })).toEqual({
      name: "t",
      execution: text,
      annotations: { title: "A" },
    });
    expect(
      tool({ title: "A", annotations: { title: "B", readOnlyHint: true }, execution: text })?.annotations,
    ).toEqual({
      title: "B",
      readOnlyHint: true,
    });
    expect(tool({ title: null, execution: text })?.annotations).toBeUndefined();
  });

  test.each([
    ["weather", { name: "weather" }],
    [
      { name: "weather", prefix: "w_", filter: null },
      { name: "weather", prefix: "w_", filter: undefined },
    ],
  ])("toolset %j", (written, read) => {
    expect(z.parse(document, { schemaVersion: "1.0", toolsets: [written] }).toolsets).toEqual([read]);
  });

  test.each([
    ["built-in", "builtin"],
    ["Jinja2", "jinja2"],
    ["jinja2", "jinja2"],
  ])("template engine %s", (written, read) => {
    expect(
      z.parse(document, { schemaVersion: "1.0", tools: [], templateEngine: written }).templateEngine,
    ).toBe(read);
  });

  test.each(["get", "Post", "{{props.method}}", "{!!props.method!!}", "OPTIONS"])("method %s", (method) => {
    expect(http({ method })).toMatchObject({ method });
  });

  test("streamableHttp is streamable-http", () => {
    const parsed = z.parse(document, {
      schemaVersion: "1.0",
      mcp_servers: { a: { type: "streamableHttp", url: "u" } },
    });
    expect(parsed.mcp_servers?.a).toEqual({ type: "streamable-http", url: "u" });
  });
});

describe("[F-lenient] scalars are read the way earlier readers did", () => {
  const yes = [true, "true", "True", "TRUE", "yes", "YES", "on", "y", "t", "1", 1];
  const no = [false, "false", "no", "No", "off", "OFF", "n", "f", "0", 0];
  test.each([...yes.map((word) => [word, true]), ...no.map((word) => [word, false])])(
    "flag %j is %j",
    (word, expected) => {
      expect(tool({ disabled: word, execution: { type: "text", text: "x" } })?.disabled).toBe(expected);
    },
  );

  test.each([
    [5000, 5000],
    ["5000", 5000],
    [" 250 ", 250],
    [10.0, 10],
    [0, 0],
    ["{{env.TIMEOUT}}", "{{env.TIMEOUT}}"],
    ["{!!env.TIMEOUT!!}", "{!!env.TIMEOUT!!}"],
  ])("timeout_ms %j is %j", (written, read) => {
    expect(http({ timeout_ms: written })).toMatchObject({ timeout_ms: read });
  });

  test("numbers and booleans are text where text is wanted, and stay what they are elsewhere", () => {
    const values = {
      headers: { a: 1, b: true, c: "x" },
      params: { a: 1, b: true },
      body: { json: { a: 1 } },
    };
    expect(http(values)).toMatchObject({
      ...values,
      headers: { a: "1", b: "true", c: "x" },
      body: { content: { a: 1 } },
    });
    expect(execution({ type: "cli", command: "x", args: [1, false, "y"], env: { N: 5 } })).toMatchObject({
      args: ["1", "false", "y"],
      env: { N: "5" },
    });
  });

  test("null means not set, everywhere it may be left out", () => {
    const nulls = Object.fromEntries(
      [
        "method",
        "headers",
        "auth",
        "params",
        "query",
        "body",
        "timeout_ms",
        "retries",
        "allowPrivateNetwork",
      ].map((key) => [key, null]),
    );
    expect(JSON.parse(JSON.stringify(http(nulls)))).toEqual({ type: "http", url: "u" });
  });
});

test("[H-oauth] timeout_ms, libraryDir, directoryAllowList and scopes may hold templates", () => {
  const data = {
    schemaVersion: "1.0",
    libraryDir: "{{env.LIB}}",
    directoryAllowList: ["{{env.DATA}}"],
    tools: [
      {
        name: "t",
        directoryAllowList: ["{{env.MORE}}"],
        execution: {
          type: "http",
          url: "u",
          timeout_ms: "{{env.T}}",
          auth: {
            type: "oauth2",
            flow: "clientCredentials",
            tokenUrl: "{{env.U}}",
            clientId: "i",
            clientSecret: "s",
            scopes: ["{{env.S}}"],
          },
        },
      },
    ],
  };
  expect(z.parse(document, data)).toEqual(data);
});

test("[F-forward] unknown keys are dropped, also those only the loader may set", () => {
  const fields = {
    execution: { type: "text", text: "x", later: 1 },
    toolset_source: "evil",
    toolsetSource: "evil",
  };
  expect(tool(fields)).toEqual({ name: "t", execution: { type: "text", text: "x" } });
});

test("an input schema is not touched, whatever is in it", () => {
  const inputSchema = {
    type: "object",
    properties: { a: true, b: { default: null, "x-y": [1] } },
    $defs: { c: {} },
  };
  expect(tool({ inputSchema, execution: { type: "text", text: "x" } })?.inputSchema).toEqual(inputSchema);
});
