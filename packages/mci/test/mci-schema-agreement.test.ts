import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod/mini";
import { MCIClientError } from "../src/errors.ts";
import { parseObject } from "../src/load/parse/parse.ts";
import { compiledDocument } from "../src/load/validate/compiled-document.ts";
import { validateDocument } from "../src/load/validate/document.ts";
import { document } from "../src/schema/document.ts";
import { ajv, loads, validate } from "./mci-schema-validator.ts";

describe("[F-json-schema] the JSON Schema and the loader agree", () => {
  const text = { type: "text", text: "x" };
  const tool = (fields: object) => ({
    schemaVersion: "1.0",
    tools: [{ name: "t", execution: text, ...fields }],
  });
  const execution = (fields: object) => tool({ execution: fields });
  const http = (fields: object) => execution({ type: "http", url: "u", ...fields });
  const cli = (fields: object) => execution({ type: "cli", command: "c", ...fields });
  const server = (fields: unknown) => ({ schemaVersion: "1.0", mcp_servers: { s: fields } });
  const toolset = (reference: unknown) => ({ schemaVersion: "1.0", toolsets: [reference] });
  const oauth = {
    type: "oauth2",
    flow: "clientCredentials",
    tokenUrl: "t",
    clientId: "i",
    clientSecret: "s",
  };

  const accepted: unknown[] = [
    { schemaVersion: "1.0", tools: [] },
    { schemaVersion: 1, tools: [] },
    { schemaVersion: "1.0.12", toolsets: [], tools: null },
    { schemaVersion: "1.0", mcp_servers: {}, $schema: "x", later: {} },
    {
      schemaVersion: "1.0",
      tools: [],
      metadata: { version: 1.5, name: null, authors: [] },
      templateEngine: "Jinja2",
    },
    {
      schemaVersion: "1.0",
      tools: [],
      enableAnyPaths: "Yes",
      directoryAllowList: null,
      libraryDir: "{{env.L}}",
      expiresAt: "2030-01-01",
    },
    tool({}),
    tool({ title: "x", description: null, annotations: null, inputSchema: null, tags: null, disabled: 0 }),
    tool({
      annotations: { audience: [], readOnlyHint: "on" },
      inputSchema: { properties: { a: true } },
      tags: ["a"],
      later: 1,
    }),
    http({
      method: "gEt",
      headers: { a: 1, b: true },
      params: { a: [1, null] },
      query: {},
      timeout_ms: "0500",
    }),
    http({
      method: "{{props.m}}",
      auth: null,
      body: null,
      retries: {},
      timeout_ms: "{{env.T}}",
      allowPrivateNetwork: false,
    }),
    http({ retries: { attempts: "2", backoff_ms: 0 }, timeout_ms: 0 }),
    http({ auth: { type: "apiKey", in: "query", name: "n", value: "" } }),
    http({ auth: { type: "bearer", token: "", extra: 1 } }),
    http({ auth: { type: "basic", username: "", password: "" } }),
    http({ auth: { ...oauth, scopes: ["{{env.S}}"] } }),
    http({ auth: { ...oauth, scopes: null } }),
    ...["x", {}, [], [1]].map((content) => http({ body: { type: "json", content } })),
    ...["x", {}].map((content) => http({ body: { type: "form", content } })),
    http({ body: { type: "raw", content: "" } }),
    http({ body: { json: [] } }),
    http({ body: { form: "x" } }),
    http({ body: { raw: "" } }),
    http({ body: { type: "json", content: {}, raw: 5 } }),
    cli({
      args: [1, true, "x"],
      flags: {},
      cwd: null,
      env: { A: 1 },
      inheritEnv: ["A"],
      allowDashValues: "no",
    }),
    cli({ flags: { "-a": { from: "props.a", type: "value", separator: " " } }, timeout_ms: 5 }),
    execution({ type: "file", path: "p", enableTemplating: "off", templateEngine: "built-in" }),
    execution({ type: "text", text: "", templateEngine: null }),
    execution({ type: "mcp", serverName: "s", toolName: "t", timeout_ms: 1 }),
    toolset("a"),
    toolset({
      name: "a",
      filter: "only",
      filterValue: "b",
      prefix: "p",
      enableAnyPaths: true,
      directoryAllowList: ["x"],
    }),
    toolset({ name: "a", filter: null, filterValue: null }),
    server({ command: "c", type: "stdio", args: [1], env: {}, config: { expDays: "3" }, url: null }),
    server({ command: "c", type: null, config: null, prefix: null }),
    server({
      url: "u",
      type: "sse",
      headers: { a: 1 },
      config: { filter: "tags", filterValue: "x" },
      timeout_ms: "9",
    }),
    server({ url: "u", type: "streamableHttp" }),
  ];

  test.each(accepted.map((data) => [data]))("both accept %j", async (data) => {
    expect([validate(data), await loads(data)], ajv.errorsText(validate.errors)).toEqual([true, true]);
  });

  const refused: unknown[] = [
    null,
    [],
    "x",
    {},
    { schemaVersion: "1.0" },
    { schemaVersion: "1.0", tools: null },
    { tools: [] },
    ...["2.0", "1", "", 1.1, 2, null, true].map((schemaVersion) => ({ schemaVersion, tools: [] })),
    { schemaVersion: "1.0", tools: {} },
    { schemaVersion: "1.0", toolsets: "weather" },
    { schemaVersion: "1.0", mcp_servers: [] },
    { schemaVersion: "1.0", tools: [], metadata: [] },
    { schemaVersion: "1.0", tools: [], metadata: { authors: "me" } },
    { schemaVersion: "1.0", tools: [], enableAnyPaths: "perhaps" },
    { schemaVersion: "1.0", tools: [], enableAnyPaths: 2 },
    { schemaVersion: "1.0", tools: [], templateEngine: "x" },
    { schemaVersion: "1.0", tools: [null] },
    { schemaVersion: "1.0", tools: [{ name: "t" }] },
    ...["", " ", null, 5].map((name) => tool({ name })),
    ...[null, {}, [], "text", { type: "HTTP" }, { type: "http" }, { type: "http", url: "" }].map((value) =>
      tool({ execution: value }),
    ),
    tool({ tags: "a" }),
    tool({ tags: [1] }),
    tool({ inputSchema: [] }),
    tool({ inputSchema: true }),
    tool({ annotations: { audience: ["x"] } }),
    tool({ disabled: "" }),
    ...["BREW", "", "GETS"].map((method) => http({ method })),
    ...[-1, 1.5, "x", "-1", true, ""].map((timeout_ms) => http({ timeout_ms })),
    ...[0, "0", -1].map((attempts) => http({ retries: { attempts } })),
    http({ headers: [] }),
    http({ headers: { a: null } }),
    http({ params: [] }),
    ...[{}, { type: "digest" }, { type: "bearer" }, { token: "x" }, "x"].map((auth) => http({ auth })),
    http({ auth: { type: "apiKey", in: "body", name: "n", value: "v" } }),
    http({ auth: { ...oauth, flow: "password" } }),
    http({ auth: { ...oauth, scopes: "a b" } }),
    ...[{}, [], "x", { type: "xml", content: "" }, { type: "json" }, { json: 1 }, { json: {}, raw: "" }].map(
      (body) => http({ body }),
    ),
    http({ body: { type: "form", content: [] } }),
    http({ body: { type: "form", json: {} } }),
    http({ body: { raw: {} } }),
    execution({ type: "cli" }),
    cli({ args: "x" }),
    cli({ args: [null] }),
    cli({ flags: { a: "props.a" } }),
    cli({ flags: { a: { from: "props.a" } } }),
    cli({ flags: { a: { from: "props.a", type: "bool" } } }),
    execution({ type: "file" }),
    execution({ type: "text" }),
    execution({ type: "mcp", serverName: "s" }),
    ...["", 5, {}, { name: "" }, { name: "a", filter: "Only" }, { name: "a", filterValue: ["x"] }, null].map(
      toolset,
    ),
    ...[
      {},
      "x",
      null,
      { command: "c", url: "u" },
      { command: "" },
      { url: "u", type: "stdio" },
      { command: "c", type: "http" },
    ].map(server),
    server({ url: "u", type: "carrier pigeon" }),
    server({ command: "c", config: { expDays: 0 } }),
    server({ command: "c", env: { A: null } }),
  ];

  test.each(refused.map((data) => [data]))("both refuse %j", async (data) => {
    expect([validate(data), await loads(data)]).toEqual([false, false]);
  });
});

describe("[L-hostile] whatever is changed in a file", () => {
  const original = JSON.parse(
    readFileSync(new URL("fixtures/every-shape.mci.json", import.meta.url), "utf8"),
  );
  const places = allPlaces(original);
  const compiled = compiledDocument;
  const values = fc.oneof(
    fc.constantFrom<unknown>(
      undefined,
      null,
      true,
      0,
      1,
      -1,
      1.5,
      "",
      "x",
      "{{env.X}}",
      "json",
      "http",
      [],
      ["x"],
      {},
      { a: 1 },
    ),
    fc.jsonValue({ maxDepth: 2 }),
  );

  test("the loader says what is wrong, the JSON Schema agrees, and generated code does too", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), values, async (place, value) => {
        const data = changed(original, place, value);
        const problems = await validateDocument(parseObject(data)).then(
          () => [],
          (error: unknown) => {
            expect(error).toBeInstanceOf(MCIClientError);
            return (error as MCIClientError).problems;
          },
        );
        expect(problems.map(({ message }) => message).join()).not.toContain("Invalid input");
        // Two names alike, a filter without a value: no JSON Schema can say that.
        const structural = problems.filter(
          ({ message }) => !/^(Duplicate tool name|Filter (type|value))/.test(message),
        );
        expect(validate(data), ajv.errorsText(validate.errors)).toBe(structural.length === 0);
        expect(z.safeParse(compiled, data)).toEqual(z.safeParse(document, data));
      }),
      { numRuns: 100 },
    );
  });
});

type Path = readonly (string | number)[];

function allPlaces(value: unknown, place: Path = []): Path[] {
  if (typeof value !== "object" || value === null) return [place];
  const keys = Array.isArray(value) ? value.keys() : Object.keys(value);
  return [
    place,
    ...[...keys].flatMap((key) =>
      allPlaces((value as Record<string | number, unknown>)[key], [...place, key]),
    ),
  ];
}

/** A copy with another value at one place; undefined removes it. */
function changed(value: unknown, [step, ...rest]: Path, replacement: unknown): unknown {
  if (step === undefined) return replacement;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >;
  const inside = changed(copy[step], rest, replacement);
  if (inside !== undefined) copy[step] = inside;
  else if (Array.isArray(copy)) copy.splice(step as number, 1);
  else delete copy[step];
  return copy;
}
