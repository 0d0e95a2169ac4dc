import { describe, expect, test } from "vitest";
import { failure, read } from "../../test/read-input.ts";
import { inputReader } from "./input.ts";

const weather = {
  type: "object",
  properties: {
    location: { type: "string" },
    units: { type: "string", enum: ["metric", "imperial"], default: "metric" },
    days: { type: "integer", minimum: 1 },
  },
  required: ["location"],
};

describe("what passes", () => {
  test("a tool without inputSchema takes everything [P-undeclared]", async () => {
    expect((await read(undefined, { a: 1, b: [2] })).props).toEqual({ a: 1, b: [2] });
    expect((await read({}, { a: 1 })).props).toEqual({ a: 1 });
    expect((await read({ type: "object" }, { a: 1 })).props).toEqual({ a: 1 });
  });

  test("undefined and null input count as an empty object", async () => {
    expect((await read(undefined, undefined)).props).toEqual({});
    expect((await read(undefined, null)).props).toEqual({});
  });

  test("a field named __proto__ is a field like any other", async () => {
    const hostile = JSON.parse('{"__proto__": {"admin": true}, "deep": {"__proto__": {"admin": true}}}');
    const { props } = await read(undefined, hostile);
    expect(JSON.stringify(props)).toBe(JSON.stringify(hostile));
    expect(props.admin).toBeUndefined();
    expect((props.deep as { admin?: unknown }).admin).toBeUndefined();
  });

  test("what has a form in JSON takes that form", async () => {
    const given = { when: new Date(0), where: new URL("https://example.com/a") };
    const json = { when: "1970-01-01T00:00:00.000Z", where: "https://example.com/a" };
    const when = { type: "string", format: "date-time" };
    expect((await read(undefined, given)).props).toEqual(json);
    expect((await read({ properties: { when, where: {} } }, given)).props).toEqual(json);
  });

  test("what JSON leaves out is left out, at any depth [P-json]", async () => {
    const given = {
      a: undefined,
      o: { b: undefined, f: () => 1, s: Symbol("s"), c: 1 },
      list: [undefined, 1],
    };
    const o = { type: "object", properties: { b: { type: "string" }, c: {} }, additionalProperties: false };
    for (const schema of [undefined, { properties: { a: { type: "string" }, o, list: {} } }]) {
      expect((await read(schema, given)).props).toEqual({ o: { c: 1 }, list: [null, 1] });
    }
    expect([...(await read({ properties: { a: {} } }, { a: undefined })).absent]).toEqual(["a"]);
  });

  test("a bigint is a number where a number has its digits, and text where text is asked for [P-json]", async () => {
    const given = { small: 5n, large: 9_007_199_254_740_993n };
    expect((await read(undefined, given)).props).toEqual({ small: 5, large: 9_007_199_254_740_993n });
    const integers = { properties: { small: { type: "integer" }, large: { type: ["integer", "string"] } } };
    expect((await read(integers, given)).props).toEqual({ small: 5, large: 9_007_199_254_740_993n });
    const texts = { properties: { large: { type: "string" } } };
    expect((await read(texts, given)).props).toEqual({ large: "9007199254740993" });
    const error = await failure({ properties: { large: { type: "integer", maximum: 5 } } }, given);
    expect(error.message).toContain("large: must be <= 5");
  });

  test("a getter is read once", async () => {
    let reads = 0;
    const given = {
      get n() {
        reads += 1;
        return String(reads);
      },
    };
    expect((await read({ properties: { n: { type: "integer" } } }, given)).props).toEqual({ n: 1 });
  });

  test("names that every object inherits are names like any other [P-inherited]", async () => {
    const properties = { constructor: { type: "string" }, toString: { type: "object" }, valueOf: {} };
    expect((await read({ properties }, {})).props).toEqual({});
    expect((await read({ properties }, { constructor: "C" })).props).toEqual({ constructor: "C" });
    const error = await failure({ properties, required: ["toString"] }, {});
    expect(error.message).toContain("toString: is required and missing");
  });

  test("a schema cannot reach what all objects share [P-inherited]", async () => {
    const deep = { type: "object", properties: { polluted: { default: "yes" } } };
    const hostile = JSON.parse(
      JSON.stringify({
        properties: { PROTO: deep, constructor: { properties: { prototype: deep } } },
      }).replace("PROTO", "__proto__"),
    );
    await read(hostile, {});
    await read(hostile, JSON.parse('{"__proto__": {}, "constructor": {"prototype": {}}}'));
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  test("undeclared properties are dropped [P-undeclared]", async () => {
    expect((await read(weather, { location: "Paris", extra: 1 })).props).toEqual({
      location: "Paris",
      units: "metric",
    });
  });

  test("a required name that is not among the properties is kept", async () => {
    const schema = { type: "object", properties: { a: {} }, required: ["b"] };
    expect((await read(schema, { b: 2 })).props).toEqual({ b: 2 });
  });

  test.each([
    ["true", true],
    ["a schema", { type: "number" }],
  ])(
    "additionalProperties: %s passes extra properties through [P-undeclared]",
    async (_kind, additionalProperties) => {
      const schema = { type: "object", properties: { a: {} }, additionalProperties };
      expect((await read(schema, { a: 1, extra: 2 })).props).toEqual({ a: 1, extra: 2 });
    },
  );

  test("patternProperties and composed schemas pass what they may describe", async () => {
    expect(
      (await read({ properties: { a: {} }, patternProperties: { "^x-": {} } }, { "x-1": 1, y: 2 })).props,
    ).toEqual({ "x-1": 1 });
    expect(
      (await read({ properties: { a: {} }, allOf: [{ properties: { b: {} } }] }, { b: 1 })).props,
    ).toEqual({ b: 1 });
  });

  test("a boolean property schema is a schema like any other", async () => {
    expect((await read({ type: "object", properties: { a: true } }, { a: { deep: 1 } })).props).toEqual({
      a: { deep: 1 },
    });
  });

  test("absent names the declared properties that were neither given nor defaulted", async () => {
    expect([...(await read(weather, { location: "Paris" })).absent]).toEqual(["days"]);
  });
});

describe("defaults", () => {
  test("fill what was not given, at any depth [P-coerce]", async () => {
    const schema = {
      properties: {
        a: { default: 1 },
        o: { type: "object", properties: { deep: { default: [1] } }, default: {} },
      },
    };
    expect((await read(schema, {})).props).toEqual({ a: 1, o: { deep: [1] } });
    expect((await read(schema, { a: 2, o: { deep: 3 } })).props).toEqual({ a: 2, o: { deep: 3 } });
  });

  test("satisfy required", async () => {
    const schema = { properties: { a: { type: "string", default: "x" } }, required: ["a"] };
    expect((await read(schema, {})).props).toEqual({ a: "x" });
  });

  test("that do not fit their own schema are the author's choice", async () => {
    const schema = { properties: { a: { type: "string", default: null } } };
    expect((await read(schema, {})).props).toEqual({ a: null });
    expect((await failure(schema, { a: null })).message).toContain("a: must be string, got null");
  });

  test("are never shared between calls, and the caller's object is never changed", async () => {
    const reader = await inputReader({
      name: "t",
      inputSchema: { properties: { list: { default: [] as number[] }, o: {} } },
    });
    const given = Object.freeze({ o: Object.freeze({ x: 1 }) });
    const first = reader(given);
    (first.props.list as number[]).push(1);
    (first.props.o as { x: number }).x = 2;
    expect(reader(given).props).toEqual({ list: [], o: { x: 1 } });
  });
});

describe("what fails", () => {
  test("every failing field is named in one message [P-dialects]", async () => {
    const error = await failure(weather, { units: "kelvin", days: 0, locaton: "x" });
    expect(error.code).toBe("invalid_input");
    expect(error.message).toBe(
      [
        "Invalid input for tool 't' (it requires location):",
        '- location: is required and missing (got "locaton": did you mean it?)',
        '- units: must be one of "metric", "imperial", got "kelvin"',
        "- days: must be >= 1, got 0",
      ].join("\n"),
    );
    expect(error.problems).toHaveLength(3);
  });

  test("additionalProperties: false refuses extra properties with a suggestion [P-undeclared]", async () => {
    const error = await failure({ properties: { unit: {} }, additionalProperties: false }, { units: 1 });
    expect(error.message).toContain('units: is not a property of this tool (did you mean "unit"?)');
  });

  test("nested fields are named by their path", async () => {
    const schema = { properties: { list: { items: { properties: { n: { type: "number" } } } } } };
    expect((await failure(schema, { list: [{ n: 1 }, { n: {} }] })).message).toContain(
      "list[1].n: must be number, got an object",
    );
  });

  test.each([[[1]], ["text"], [5]])("input that is not an object: %j", async (given) => {
    expect((await failure(weather, given)).message).toContain("must be an object");
  });

  test.each([
    [Number.NaN, "number NaN"],
    [Number.POSITIVE_INFINITY, "number Infinity"],
  ])("a number that JSON does not know: %s", async (given, got) => {
    const error = await failure({ properties: { p: { type: "number" } } }, { p: given });
    expect(error.message).toContain(`p: must be number, got ${got}`);
  });

  test("properties that throw when they are read", async () => {
    const hostile = [
      {
        get p() {
          throw new Error("not today");
        },
      },
      {
        p: {
          toJSON() {
            throw new Error("not today");
          },
        },
      },
      new Proxy(
        {},
        {
          ownKeys() {
            throw new Error("not today");
          },
        },
      ),
    ];
    for (const given of hostile) {
      for (const schema of [{}, { properties: { p: {} } }]) {
        expect(await failure(schema, given)).toMatchObject({
          code: "invalid_input",
          message: "The properties of tool 't' cannot be read: not today",
        });
      }
    }
  });

  test("nesting beyond any use, and objects that hold themselves", async () => {
    const loop: Record<string, unknown> = {};
    loop.self = loop;
    const deep = Array.from({ length: 20_000 }).reduce((inner) => ({ inner }), {});
    for (const p of [loop, deep]) {
      for (const schema of [{}, { properties: { p: {} } }]) {
        expect((await failure(schema, { p })).message).toBe(
          "The properties of tool 't' are nested more than 500 levels deep.",
        );
      }
    }
  });

  test("a long list of mistakes is cut", async () => {
    const schema = { properties: { p: { type: "array", items: { type: "number" } } } };
    const { message } = await failure(schema, { p: Array.from({ length: 5000 }, () => "x") });
    expect(message.split("\n")).toHaveLength(102);
    expect(message).toMatch(/- and 4900 more$/);
  });

  test("formats are checked", async () => {
    expect(
      (await failure({ properties: { m: { type: "string", format: "email" } } }, { m: "x" })).message,
    ).toContain("m: must be a valid email");
  });

  test("an inputSchema that is not a JSON Schema is named as such", async () => {
    const error = await failure({ properties: { a: { type: "strange" } } }, { a: 1 });
    expect(error.code).toBe("schema_invalid");
    expect(error.message).toContain("inputSchema of tool 't'");
  });
});

test("an inputSchema that refers to itself without end is named as such", async () => {
  for (const p of [{ $ref: "#/$defs/p" }, { anyOf: [{ type: "null" }, { $ref: "#/$defs/p" }] }]) {
    const error = await failure({ properties: { p }, $defs: { p } }, { p: "7" });
    expect(error.code).toBe("schema_invalid");
    expect(error.message).toContain("The inputSchema of tool 't' is not usable JSON Schema");
  }
});

describe("dialects [P-dialects]", () => {
  test("2020-12 keywords work by default", async () => {
    const schema = { properties: { p: { type: "array", prefixItems: [{ type: "string" }] } } };
    expect((await failure(schema, { p: [1] })).message).toContain("p[0]: must be string");
  });

  test.each([
    { $schema: "https://json-schema.org/draft/2019-09/schema" },
    { $schema: "https://example.com/our-own-dialect" },
    { $schema: "http://json-schema.org/draft-04/schema#", id: "https://example.com/tool" },
  ])("a schema of another dialect is checked as far as it is understood: %j", async (dialect) => {
    const schema = { ...dialect, properties: { a: { type: "string", minLength: 2 } } };
    expect((await read(schema, { a: "ok" })).props).toEqual({ a: "ok" });
    expect((await failure(schema, { a: "x" })).message).toContain("a: must NOT have fewer than 2 characters");
  });

  test("draft-07 keywords work where the schema says so", async () => {
    const schema = {
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { p: { type: "array", items: [{ type: "string" }] } },
    };
    expect((await failure(schema, { p: [1] })).message).toContain("p[0]: must be string");
  });
});

test("a validator that fails says nothing of what it was given", async () => {
  // Ajv writes code for this schema that throws "Cannot set properties of undefined (setting 'acme')".
  const closed = { patternProperties: { ".": true }, anyOf: [{ unevaluatedProperties: false }, true] };
  const read = await inputReader({ name: "t", inputSchema: { patternProperties: { "^o": closed } } });
  expect(() => read({ owner: { acme: 1 } })).toThrow(
    "The inputSchema of tool 't' is not usable JSON Schema: the validator failed on this input; write the schema in a simpler way",
  );
});
