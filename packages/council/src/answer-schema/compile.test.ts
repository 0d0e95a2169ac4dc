import { describe, expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { compileAnswerSchema } from "./compile.ts";
import { patternProblem } from "./pattern.ts";

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
    ["a slow pattern", object({ a: { type: "string", pattern: "^(a+)+$" } }), "unbounded time"],
  ])("%s", (_, schema, reason) => {
    const started = cpuMs();
    expect(() => compileAnswerSchema(schema)).toThrow(reason);
    expect(cpuMs() - started).toBeLessThan(1000);
  });

  test.each([
    ["^\\d{4}-\\d{2}$", undefined],
    ["^-?\\d+(\\.\\d+)?$", undefined],
    ["^(low|medium|high)$", undefined],
    ["[a-z]+", undefined],
    ["(a|a)*b", "repeats a group"],
    ["^(?=a)b", "lookaround"],
    ["(a)\\1", "back-reference"],
    [".*.*.*x", "so many quantifiers"],
    [`^${"a?".repeat(40)}b`, "so many quantifiers"],
    [`^${"(a|a)".repeat(30)}b`, "so many quantifiers"],
    ["[", "no regular expression"],
  ])("the pattern %s: %s", (pattern, problem) => {
    const found = patternProblem(pattern, 500);
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test("every accepted pattern is fast on the worst text it may meet", () => {
    for (const pattern of ["^-?\\d+(\\.\\d+)?$", "^a+a+$", "a+b"]) {
      expect(patternProblem(pattern, 500)).toBeUndefined();
      const started = cpuMs();
      new RegExp(pattern).test(`${"1".repeat(250)}${"a".repeat(249)}!`);
      expect(cpuMs() - started).toBeLessThan(500);
    }
  });
});
