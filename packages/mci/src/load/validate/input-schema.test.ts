import { describe, expect, test } from "vitest";
import { parseObject, parseSource } from "../parse/parse.ts";
import { formatProblem } from "../problems.ts";
import { checkInputSchemas } from "./input-schema.ts";

const told = async (inputSchema: Record<string, unknown>) => {
  const execution = { type: "text" as const, text: "x" };
  const document = { tools: [{ name: "t", inputSchema, execution }] };
  return (await checkInputSchemas(parseObject(document), document)).map((problem) => formatProblem(problem));
};

describe("[F-input-schema] an input schema", () => {
  test.each([
    {
      title: "a plain one",
      schema: { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
    },
    { title: "an empty one", schema: {} },
    { title: "boolean property schemas", schema: { properties: { a: true, b: false } } },
    {
      title: "references that lead somewhere",
      schema: { $defs: { x: { type: "string" } }, properties: { a: { $ref: "#/$defs/x" } } },
    },
    {
      title: "draft-07 by its name",
      schema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { x: {} },
        properties: { a: { $ref: "#/definitions/x" } },
      },
    },
    {
      title: "older drafts, unjudged",
      schema: {
        $schema: "http://json-schema.org/draft-04/schema#",
        properties: { a: { minimum: 1, exclusiveMinimum: true } },
      },
    },
    {
      title: "unknown keywords and dialects",
      schema: { $schema: "https://example.com/dialect", "x-order": 1 },
    },
    {
      title: "data that only looks like a schema",
      schema: { properties: { pattern: { default: { pattern: "(" } } } },
    },
    { title: "a type that allows objects", schema: { type: ["object", "null"] } },
  ])("is fine: $title", async ({ schema }) => {
    expect(await told(schema)).toEqual([]);
  });

  test.each([
    {
      schema: { type: "object", properties: { a: { type: "strin" } } },
      problem:
        "tools[0].inputSchema.properties.a.type: Must be one of array, boolean, integer, null, number, object, string, found 'strin' — did you mean 'string'?",
    },
    {
      schema: { properties: { a: { type: ["string", "nul"] } } },
      problem:
        "tools[0].inputSchema.properties.a.type[1]: Must be one of array, boolean, integer, null, number, object, string, found 'nul' — did you mean 'null'?",
    },
    {
      schema: { properties: [] },
      problem: "tools[0].inputSchema.properties: Must be an object, found a list",
    },
    {
      schema: { required: "a" },
      problem: 'tools[0].inputSchema.required: Must be a list, found a string — make it a list: ["a"]',
    },
    {
      schema: { properties: { a: "string" } },
      problem:
        "tools[0].inputSchema.properties.a: Must be a schema (an object, true or false), found a string",
    },
    {
      schema: { properties: { "a/b": { minimum: "1" } } },
      problem: 'tools[0].inputSchema.properties["a/b"].minimum: Must be a number, found a string',
    },
    {
      schema: { properties: { a: { pattern: "(" } } },
      problem:
        "tools[0].inputSchema.properties.a.pattern: Invalid regular expression: /(/u: Unterminated group",
    },
    {
      schema: { properties: { a: { $ref: "#/$defs/x" } } },
      problem: "tools[0].inputSchema: The reference '#/$defs/x' does not resolve",
    },
    {
      schema: { $schema: "http://json-schema.org/draft-07/schema#", type: "objekt" },
      problem:
        "tools[0].inputSchema.type: Must be one of array, boolean, integer, null, number, object, string, found 'objekt' — did you mean 'object'?",
    },
  ])("is wrong: $problem", async ({ schema, problem }) => {
    expect((await told(schema))[0]).toBe(problem);
  });

  test("is a warning where no call could fit, or a required name is misspelled", async () => {
    const schema = { type: "string", properties: { location: {} }, required: ["locaton", "elsewhere"] };
    expect(await told(schema)).toEqual([
      `tools[0].inputSchema.type: A tool's input is always an object: no call can satisfy this type — write "object"`,
      "tools[0].inputSchema.required[0]: 'locaton' is required but not among the properties — did you mean 'location'?",
    ]);
  });

  test("is pointed at in the file; every tool is looked at, and two may share an $id", async () => {
    const text = JSON.stringify(
      {
        tools: [{ inputSchema: { $id: "same", $ref: "#" } }, { inputSchema: { $id: "same", type: "x" } }, {}],
      },
      null,
      2,
    );
    const parsed = await parseSource({ file: "x.json", path: "/x.json", format: "json", text });
    const problems = await checkInputSchemas(parsed, parsed.data as never);
    expect(problems).toMatchObject([
      { file: "x.json", line: 12, path: "tools[1].inputSchema.type", severity: "error" },
    ]);
  });

  test("that is nested too deeply is named as such", async () => {
    const deep = Array.from({ length: 20_000 }).reduce<object>((inner) => ({ not: inner }), {});
    expect(await told({ properties: { a: deep } })).toEqual([
      expect.stringContaining("The schema is nested too deeply"),
    ]);
  });
});
