import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { compileAnswerSchema } from "./compile.ts";
import { compilePattern } from "./texts.ts";

const object = (properties: object, more: object = {}) => ({ type: "object", properties, ...more });

describe("[A-vote-key] what makes two objects one vote", () => {
  const { key, label } = compileAnswerSchema(
    object({
      city: { type: "string" },
      unit: { enum: ["MB", "Mb"] },
      why: { type: "string", "x-vote": false },
      parts: {
        type: "array",
        items: object({ id: { type: "integer" }, note: { type: "string", "x-vote": false } }),
      },
      either: {
        anyOf: [object({ a: { type: "string" }, b: { type: "string", "x-vote": false } }), { type: "null" }],
      },
    }),
  );
  test("the order of keys, markup and explanations do not count", () => {
    const one = { city: "Paris", why: "It is.", parts: [{ id: 1, note: "x" }] };
    const other = { parts: [{ note: "y", id: 1 }], why: "Everyone knows.", city: "**paris**." };
    expect(key(one)).toBe(key(other));
    expect(label(one)).toBe('{"city":"Paris","parts":[{"id":1}]}');
  });
  test("values, the order of lists and the spelling of enumerated values do", () => {
    expect(key({ city: "Paris" })).not.toBe(key({ city: "Lyon" }));
    expect(key({ unit: "MB" })).not.toBe(key({ unit: "Mb" }));
    expect(key({ parts: [{ id: 1 }, { id: 2 }] })).not.toBe(key({ parts: [{ id: 2 }, { id: 1 }] }));
    expect(key({ parts: [{ id: 1 }] })).not.toBe(key({ parts: [{ id: "1" }] }));
  });
  test("fields inside alternatives can be left out too", () => {
    expect(key({ either: { a: "x", b: "1" } })).toBe(key({ either: { a: "x", b: "2" } }));
  });
});

test("[A-schema] models get the schema without references and without our annotation; a property of that name stays", () => {
  const { jsonSchema, zod } = compileAnswerSchema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    $defs: { city: { type: "string", minLength: 2 } },
    type: "object",
    properties: { city: { $ref: "#/$defs/city", "x-vote": false }, "x-vote": { enum: ["x-vote"] } },
  });
  expect(jsonSchema).toEqual(
    object({ city: { type: "string", minLength: 2 }, "x-vote": { enum: ["x-vote"] } }),
  );
  expect(zod.safeParse({ city: "Rome" }).success).toBe(true);
  expect(zod.safeParse({ city: "R" }).success).toBe(false);
});

test("a default never fills in what a model left out", () => {
  const { zod } = compileAnswerSchema(object({ n: { type: "integer", default: 7 } }));
  expect(zod.parse({})).toEqual({});
});

describe("[A-bounded] a hostile schema is refused at once, with the reason", () => {
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, i) => [
      `d${i}`,
      { allOf: [{ $ref: `#/$defs/d${i + 1}` }, { $ref: `#/$defs/d${i + 1}` }] },
    ]),
  );
  const deep = (levels: number): object => (levels === 0 ? {} : { type: "array", items: deep(levels - 1) });
  test.each([
    ["text", "x", "must be an object"],
    ["another root", { type: "string" }, 'needs "type": "object"'],
    ["nothing to vote on", object({ a: { "x-vote": false } }), "nothing to vote on"],
    ["a huge one", object({}, { description: "x".repeat(70_000) }), "longer than"],
    ["a deep one", object({ a: deep(40) }), "nested deeper"],
    [
      "references that double",
      object({ a: { $ref: "#/$defs/d0" } }, { $defs: { ...doubling, d30: {} } }),
      "nested deeper",
    ],
    [
      "a schema inside itself",
      { $defs: { n: object({ n: { $ref: "#/$defs/n" } }) }, $ref: "#/$defs/n" },
      "refers to itself",
    ],
    ["a reference elsewhere", object({ a: { $ref: "https://example.com/s.json" } }), "not one of its $defs"],
    ["a reference to a prototype", object({ a: { $ref: "#/$defs/__proto__" } }), "not one of its $defs"],
    ["$async", object({}, { $async: true }), "$async"],
    ["patterns for names", object({}, { patternProperties: { "^a": {} } }), "patternProperties"],
    ["what is not supported", object({}, { not: { required: ["a"] } }), "not supported"],
    [
      "a pattern that needs backtracking",
      object({ a: { type: "string", pattern: "^(a+)\\1$" } }),
      "cannot be checked",
    ],
    ["a pattern that is not one", object({ a: { pattern: "[" } }), "cannot be checked"],
    [
      "a keyword with a wrong value",
      object({ a: { minLength: "5" } }),
      "minLength with a value that is not a number",
    ],
    ["a type that is not one", object({ a: { type: "text" } }), "not a type"],
    ["thousands of types", object({ a: { type: Array(6000).fill("string") } }), "not a type"],
  ])("%s", (_, schema, reason) => {
    const started = cpuMs();
    expect(() => compileAnswerSchema(schema)).toThrow(reason);
    expect(cpuMs() - started).toBeLessThan(1000);
  });

  test.each([
    "^\\d{4}-\\d{2}$",
    "^-?\\d+(\\.\\d+)?$",
    "^(low|medium|high)$",
    "[a-z]+",
    "(a|a)*b",
    "(a|a){60}b",
    "^(a+)+$",
    "(.*)*x",
    ".*.*.*x",
    `^${"a?".repeat(40)}b`,
    `^${"(a|a)".repeat(30)}b`,
    "^a+a+$",
    "(?:a?){60}a{60}b",
  ])("the pattern %s is fast on the worst texts it may meet", (pattern) => {
    const compiled = compilePattern(pattern);
    if (typeof compiled === "string") expect.fail(compiled);
    const started = cpuMs();
    for (const unit of ["a", "1", "ab", "x"]) compiled.test(`${unit.repeat(1000)}!`);
    expect(cpuMs() - started).toBeLessThan(500);
  });
});

describe("[A-bounded] checking an answer takes bounded time, whatever the schema and the answer are", () => {
  const texts = { type: "string", pattern: "^(?:a?){60}a{60}b$" };
  const branches = Array.from({ length: 1900 }, (_, i) => ({ required: [`k${i}`] }));
  const nestedUnions = (levels: number): object =>
    levels === 0
      ? { type: "string" }
      : {
          anyOf: [
            { type: "array", items: nestedUnions(levels - 1) },
            { type: "array", items: nestedUnions(levels - 1), maxItems: 3 },
          ],
        };
  const wide = (count: number, value: unknown) => Array.from({ length: count }, () => value);
  const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1), nested(levels - 1)]);
  const named = (count: number, kind: number) =>
    Object.fromEntries(wide(count, true).map((one, i) => [`${kind}n${i}`, one]));
  let deep: unknown = 1;
  for (let i = 0; i < 5000; i++) deep = [deep];
  test.each([
    ["1,900 alternatives for 8,000 items", { items: { anyOf: branches } }, wide(8000, { k1899: 1 })],
    ["1,900 alternatives that are not tried", { items: { anyOf: [{}, ...branches] } }, wide(8000, {})],
    ["8,000 texts for a slow pattern", { items: texts }, wide(8000, "a".repeat(1900))],
    ["one long text for a slow pattern", { items: texts }, ["a".repeat(1_000_000)]],
    ["a length that is exceeded", { items: { ...texts, maxLength: 100 } }, ["a".repeat(1900)]],
    [
      "formats of long texts",
      { items: { type: "string", format: "email" } },
      wide(8000, `${"a.".repeat(900)}@`),
    ],
    [
      "2,000 allowed values for 8,000 items",
      { items: { enum: wide(2000, "x").map((_, i) => `v${i}`) } },
      wide(8000, "v1999"),
    ],
    ["exactly one of many, nested", { items: nestedUnions(8) }, nested(8)],
    ["items that are compared", { uniqueItems: true }, wide(100_000, { a: 1 })],
    ["items that are counted", { contains: { anyOf: branches } }, wide(8000, { a: 1 })],
    [
      "900 parts for an object with many keys",
      { items: { allOf: Array(900).fill({ additionalProperties: true }) } },
      [Object.fromEntries(wide(60_000, 1).map((one, i) => [`k${i}`, one]))],
    ],
    [
      "1,900 parts that count many keys",
      { items: { anyOf: Array(1900).fill({ maxProperties: 1 }) } },
      [Object.fromEntries(wide(60_000, 1).map((one, i) => [`k${i}`, one]))],
    ],
    ["a long text that 60,000 items are not", { contains: { enum: ["x".repeat(60_000)] } }, wide(60_000, 1)],
    ["a long constant that they are not", { contains: { const: "x".repeat(60_000) } }, wide(60_000, 1)],
    ["a long name that they do not have", { contains: { required: ["x".repeat(60_000)] } }, wide(60_000, {})],
    [
      "7 MB of texts, each of which is compared in its canonical form",
      { items: { type: "string" } },
      wide(6000, "word, ".repeat(200)),
    ],
    [
      "50 alternatives with 35 properties for 600 objects with 200 names",
      { items: { anyOf: [{}, ...wide(50, 0).map((_, i) => ({ properties: named(35, i) }))] } },
      wide(600, named(200, 0)),
    ],
    ["120,000 names", {}, wide(20, named(6000, 0))],
    ["a deep answer", {}, deep],
    ["a large answer", {}, wide(1_000_000, 1)],
    ["very many texts, each of which is compared in its canonical form", {}, wide(10_000, "v")],
  ])("%s", (_, list, value) => {
    const { zod } = compileAnswerSchema(object({ list: { type: "array", ...list }, more: {} }));
    const started = cpuMs();
    expect(zod.safeParse({ list: value }).success).toBe(false);
    expect(cpuMs() - started).toBeLessThan(1000);
  });

  test("alternatives that are not tried, but looked at for the vote", () => {
    const many = { items: { anyOf: wide(40, 0).map((_, i) => ({ properties: named(40, i) })) } };
    const { zod } = compileAnswerSchema({
      type: "object",
      anyOf: [{ properties: { list: {} } }, { properties: { list: many } }],
    });
    expect(zod.safeParse({ list: wide(30_000, { a: 1 }) }).error?.message).toContain(
      "takes too long to check",
    );
  });

  test("alternatives that all compare one long text", () => {
    const items = { anyOf: Array(500).fill({ $ref: "#/$defs/long" }) };
    const $defs = { long: { const: "x".repeat(50_000) } };
    const { zod } = compileAnswerSchema(object({ list: { type: "array", items } }, { $defs }));
    const result = zod.safeParse({ list: wide(40, `${"x".repeat(49_999)}y`) });
    expect(result.error?.message).toContain("takes too long to check");
  });

  test("what fits is counted in bounded time too", () => {
    const { zod, key, label } = compileAnswerSchema(
      object({ list: { type: "array", items: { anyOf: [{ type: "integer" }, ...branches.slice(0, 20)] } } }),
    );
    const answer = { list: wide(5000, 1) };
    const started = cpuMs();
    expect(zod.safeParse(answer).success).toBe(true);
    expect(key(answer).length + label(answer).length).toBeGreaterThan(10_000);
    expect(cpuMs() - started).toBeLessThan(1000);
  });
});

test("[A-bounded] names of an answer do not multiply with the alternatives of its schema", () => {
  const answer = { a: Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, i])) };
  const took = (branches: number) => {
    const { zod, key } = compileAnswerSchema(
      object({
        a: { allOf: Array(branches).fill({ pattern: "a" }), properties: { k7: { "x-vote": false } } },
      }),
    );
    expect(zod.safeParse(answer).success).toBe(true);
    const started = cpuMs();
    expect(key(answer)).not.toContain('k7"');
    return cpuMs() - started;
  };
  took(1);
  expect(took(1500)).toBeLessThan(20 + 5 * took(1));
});

describe("[A-schema] what a schema says of a value", () => {
  test.each<[string, object, unknown, boolean]>([
    ["type", { type: ["integer", "null"] }, null, true],
    ["type of a fraction", { type: "integer" }, 1.5, false],
    ["enum", { enum: [{ a: [1] }, "x"] }, { a: [1] }, true],
    ["const", { const: 1 }, "1", false],
    ["minimum", { minimum: 2 }, 1, false],
    ["exclusiveMaximum", { exclusiveMaximum: 2 }, 2, false],
    ["multipleOf", { multipleOf: 0.1 }, 0.3, true],
    ["minLength", { minLength: 2 }, "𝒳", false],
    ["format", { type: "string", format: "date" }, "2026-02-30", false],
    ["an unknown format", { type: "string", format: "colour" }, "x", true],
    ["pattern", { pattern: "b$" }, "ab", true],
    ["minItems", { minItems: 1 }, [], false],
    [
      "uniqueItems",
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      false,
    ],
    ["prefixItems", { prefixItems: [{ type: "string" }], items: false }, ["a", 1], false],
    ["items as a list", { items: [{ type: "string" }], additionalItems: { type: "number" } }, ["a", 1], true],
    ["contains", { contains: { const: 1 }, maxContains: 1 }, [1, 1], false],
    ["required", { required: ["a"] }, {}, false],
    ["additionalProperties", { properties: { a: {} }, additionalProperties: false }, { a: 1, b: 1 }, false],
    ["a schema for others", { additionalProperties: { type: "string" } }, { b: 1 }, false],
    ["propertyNames", { propertyNames: { maxLength: 1 } }, { ab: 1 }, false],
    ["maxProperties", { maxProperties: 1 }, { a: 1, b: 2 }, false],
    ["allOf", { allOf: [{ type: "string" }, { minLength: 2 }] }, "a", false],
    ["anyOf", { anyOf: [{ type: "string" }, { type: "null" }] }, null, true],
    ["oneOf", { oneOf: [{ type: "string" }, { minLength: 1 }] }, "a", false],
    ["never", { not: {} }, 1, false],
    ["a property of the prototype", { required: ["toString"] }, {}, false],
  ])("%s", (_, schema, value, fits) => {
    expect(compileAnswerSchema(object({ v: schema })).zod.safeParse({ v: value }).success).toBe(fits);
  });

  test("the problem names its place", () => {
    const { zod } = compileAnswerSchema(
      object({ list: { items: { properties: { n: { type: "integer" } } } } }),
    );
    const { error } = zod.safeParse({ list: [{ n: 1 }, { n: "2" }] });
    expect(error?.issues[0]).toMatchObject({ path: ["list", 1, "n"], message: "must be of type integer" });
  });
});
