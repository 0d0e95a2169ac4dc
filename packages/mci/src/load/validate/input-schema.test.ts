import { describe, expect, test } from "vitest";
import { parseObject, parseSource } from "../parse/parse.ts";
import { formatProblem } from "../problems.ts";
import { validateDocument } from "./document.ts";
import { checkInputSchemas } from "./input-schema.ts";

const problemsOf = async (inputSchema: Record<string, unknown>) => {
  const execution = { type: "text" as const, text: "x" };
  const document = { tools: [{ name: "t", inputSchema, execution }] };
  return (await checkInputSchemas(parseObject(document), document)).map((problem) => formatProblem(problem));
};

describe("[F-input-schema] an input schema", () => {
  test.each([
    ["a plain one", { type: "object", properties: { a: { type: "string" } }, required: ["a"] }],
    ["an empty one", {}],
    ["boolean property schemas", { properties: { a: true, b: false } }],
    [
      "references that lead somewhere",
      { $defs: { x: { type: "string" } }, properties: { a: { $ref: "#/$defs/x" } } },
    ],
    [
      "draft-07 by its name",
      {
        $schema: "http://json-schema.org/draft-07/schema#",
        definitions: { x: {} },
        properties: { a: { $ref: "#/definitions/x" } },
      },
    ],
    [
      "older drafts, unjudged",
      {
        $schema: "http://json-schema.org/draft-04/schema#",
        properties: { a: { minimum: 1, exclusiveMinimum: true } },
      },
    ],
    ["unknown keywords and dialects", { $schema: "https://example.com/dialect", "x-order": 1 }],
    ["data that only looks like a schema", { properties: { pattern: { default: { pattern: "(" } } } }],
    ["a type that allows objects", { type: ["object", "null"] }],
  ])("is fine: %s", async (_title, schema) => {
    expect(await problemsOf(schema)).toEqual([]);
  });

  test.each([
    [
      "tool 't', inputSchema.properties.a.type: Must be one of array, boolean, integer, null, number, object, string, found 'strin' — did you mean 'string'?",
      { type: "object", properties: { a: { type: "strin" } } },
    ],
    [
      "tool 't', inputSchema.properties.a.type[1]: Must be one of array, boolean, integer, null, number, object, string, found 'nul' — did you mean 'null'?",
      { properties: { a: { type: ["string", "nul"] } } },
    ],
    ["tool 't', inputSchema.properties: Must be an object, found a list", { properties: [] }],
    [
      "tool 't', inputSchema.required: Must be a list, found a string — make it a list: [\"a\"]",
      { required: "a" },
    ],
    [
      "tool 't', inputSchema.properties.a: Must be a schema (an object, true or false), found a string",
      { properties: { a: "string" } },
    ],
    [
      "tool 't', inputSchema.properties[\"a/b\"].minimum: Must be a number, found a string",
      { properties: { "a/b": { minimum: "1" } } },
    ],
    [
      "tool 't', inputSchema.properties.a.pattern: The pattern is not checked: Invalid regular expression: /(/u: Unterminated group — correct it",
      { properties: { a: { pattern: "(" } } },
    ],
    [
      "tool 't', inputSchema: The reference '#/$defs/x' does not resolve",
      { properties: { a: { $ref: "#/$defs/x" } } },
    ],
    [
      "tool 't', inputSchema.type: Must be one of array, boolean, integer, null, number, object, string, found 'objekt' — did you mean 'object'?",
      { $schema: "http://json-schema.org/draft-07/schema#", type: "objekt" },
    ],
  ])("is wrong: %s", async (problem, schema) => {
    expect((await problemsOf(schema))[0]).toBe(problem);
  });

  test("that is too large is an error at its place", async () => {
    const values = Array.from({ length: 30_000 }, (_, index) => index);
    expect(await problemsOf({ properties: { a: { enum: values } } })).toEqual([
      expect.stringMatching(
        /^tool 't', inputSchema: The schema cannot be used: it has more than 20000 values/,
      ),
    ]);
  });

  test("is a warning where no call could fit, or a required name is misspelled", async () => {
    const schema = { type: "string", properties: { location: {} }, required: ["locaton", "elsewhere"] };
    expect(await problemsOf(schema)).toEqual([
      `tool 't', inputSchema.type: A tool's input is always an object: no call can satisfy this type — write "object"`,
      "tool 't', inputSchema.required[0]: 'locaton' is required but not among the properties — did you mean 'location'?",
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
    expect(await problemsOf({ properties: { a: deep } })).toEqual([
      expect.stringContaining("The schema cannot be used: it is nested more than 200 levels deep"),
    ]);
  });
});

describe("[F-older-schema] what an input schema says in another dialect", () => {
  const cases: [string, Record<string, unknown>, string][] = [
    [
      "draft 4",
      { minimum: 1, exclusiveMinimum: true },
      `exclusiveMinimum: 'exclusiveMinimum: true' is draft 4 — write "exclusiveMinimum": 1 instead of it and 'minimum'`,
    ],
    [
      "draft 4, without a bound",
      { exclusiveMaximum: false },
      "exclusiveMaximum: 'exclusiveMaximum: false' is draft 4 — remove it",
    ],
    [
      "draft 3",
      { type: "string", required: true },
      "required: 'required: true' on a property is draft 3 — remove it, and list the property's name in 'required' beside 'properties'",
    ],
    [
      "OpenAPI",
      { type: "string", nullable: true },
      `nullable: 'nullable' is OpenAPI 3.0 — write "type": ["string","null"]`,
    ],
    [
      "a look-behind",
      { type: "string", pattern: "(?<=a)b" },
      "pattern: The pattern is not checked: look-around and back-references have no bound on time — write it without them",
    ],
    [
      "a back-reference",
      { type: "string", pattern: "(a+)\\1" },
      "pattern: The pattern is not checked: look-around and back-references have no bound on time — write it without them",
    ],
  ];

  test.each(cases)("is a warning of validate, with what to write: %s", async (_, property, problem) => {
    expect(await problemsOf({ properties: { a: property } })).toEqual([
      `tool 't', inputSchema.properties.a.${problem}`,
    ]);
  });

  test.each(cases)("is a warning at load, with its line: %s", async (_, property, problem) => {
    const tool = {
      name: "t",
      inputSchema: { properties: { a: property } },
      execution: { type: "text", text: "x" },
    };
    const text = JSON.stringify({ schemaVersion: "1.0", tools: [tool] }, null, 1);
    const parsed = await parseSource({ file: "x.json", path: "/x.json", format: "json", text });
    const { problems } = await validateDocument(parsed);
    expect(
      problems.map(({ path, message, hint }) => formatProblem({ path, message, hint, severity: "warning" })),
    ).toEqual([`tools[0].inputSchema.properties.a.${problem}`]);
    expect(problems[0]).toMatchObject({ severity: "warning", file: "x.json", line: expect.any(Number) });
  });

  test.each([
    ["(?i)x", "runs on the other engine"],
    ["^(?=.*a)b$", "cannot backtrack much"],
  ])("a pattern %j that calls can use is fine: it %s", async (pattern) => {
    expect(await problemsOf({ properties: { a: { type: "string", pattern } } })).toEqual([]);
  });

  test("is not a warning where the schema names that draft", async () => {
    const $schema = "http://json-schema.org/draft-04/schema#";
    const a = { id: "a", minimum: 1, exclusiveMinimum: true };
    expect(await problemsOf({ $schema, properties: { a, b: { $ref: "#/properties/a" } } })).toEqual([]);
  });
});
