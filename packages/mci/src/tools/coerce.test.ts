import { nativePattern } from "@mci-ts/primitives/linear-pattern";
import { describe, expect, test } from "vitest";
import { failure, read } from "../../test/read-input.ts";
import { createCoercer } from "./coerce.ts";

describe("coercion [P-coerce]", () => {
  const numbers = { type: "array", items: { type: "number" } };
  const cases: [string, unknown, unknown, unknown][] = [
    ["a number", { type: "number" }, "2.5", 2.5],
    ["a negative exponent", { type: "number" }, "-1e-3", -0.001],
    ["an integer", { type: "integer" }, " 7 ", 7],
    ["a boolean", { type: "boolean" }, "true", true],
    ["false", { type: "boolean" }, "False", false],
    ["an array", { type: "array" }, "[1,2]", [1, 2]],
    ["an object", { type: "object" }, '{"a":1}', { a: 1 }],
    ["items of an array", { type: "array", items: { type: "integer" } }, ["1", 2], [1, 2]],
    ["a string where a string is asked for", { type: "string" }, "12", "12"],
    ["a string where a string is one choice", { type: ["string", "number"] }, "12", "12"],
    ["null where nothing else fits", { type: ["number", "null"] }, "null", null],
    ["no type, no change", {}, "12", "12"],
    ["through a reference", { $ref: "#/$defs/n" }, "3", 3],
    ["a number that may be null", { anyOf: [{ type: "integer" }, { type: "null" }] }, "7", 7],
    ["inside of the one choice that fits", { oneOf: [numbers, { type: "null" }] }, '["1"]', [1]],
    ["a string beside other choices", { anyOf: [{ type: "integer" }, { type: "string" }] }, "7", "7"],
    ["a word beside a number", { anyOf: [{ type: "integer" }, { const: "7" }] }, "7", "7"],
    ["alternatives that only require", { properties: { a: numbers }, anyOf: [{}] }, { a: ["1"] }, { a: [1] }],
    ["additional properties", { type: "object", additionalProperties: numbers }, { a: ["1"] }, { a: [1] }],
    ["properties by pattern", { patternProperties: { "^n": { type: "number" } } }, { n1: "1" }, { n1: 1 }],
    [
      "properties beside a pattern",
      { patternProperties: { "^n": {} }, additionalProperties: numbers },
      { a: '["1"]' },
      { a: [1] },
    ],
    [
      "the first items",
      { prefixItems: [{ type: "integer" }, {}], items: { type: "boolean" } },
      ["1", "2", "true"],
      [1, "2", true],
    ],
    ["all of several schemas", { allOf: [{ type: "integer" }, { minimum: 1 }] }, "7", 7],
    [
      "inside of all of several schemas",
      { allOf: [{ properties: { a: numbers } }, {}] },
      { a: ["1"] },
      { a: [1] },
    ],
    ["a reference inside of allOf", { allOf: [{ $ref: "#/$defs/n" }] }, "3", 3],
    ["a reference through a list", { $ref: "#/$defs/either/anyOf/0" }, "3", 3],
  ];
  test.each(cases)("%s", async (_title, property, given, expected) => {
    const $defs = { n: { type: "number" }, either: { anyOf: [{ type: "number" }] } };
    const schema = { properties: { p: property }, $defs };
    expect((await read(schema, { p: given })).props.p).toEqual(expected);
  });

  test("reaches as deep as values go in a schema that refers to itself", async () => {
    const node = {
      properties: { n: { type: "integer" }, next: { anyOf: [{ $ref: "#/$defs/node" }, { type: "null" }] } },
    };
    const schema = {
      properties: { first: { $ref: "#/$defs/node" } },
      $defs: { node: { type: "object", ...node } },
    };
    const chain = (n: unknown) => Array.from({ length: 200 }).reduce((next) => ({ n, next }), null);
    expect((await read(schema, { first: chain("7") })).props.first).toEqual(chain(7));
    const whole = { type: "object", properties: { n: { type: "integer" }, again: { $ref: "#" } } };
    expect((await read(whole, { again: { again: { n: "7" } } })).props).toEqual({
      again: { again: { n: 7 } },
    });
  });

  test("draft-07 lists of items", async () => {
    const p = { items: [{ type: "integer" }], additionalItems: { type: "boolean" } };
    const schema = { $schema: "http://json-schema.org/draft-07/schema#", properties: { p } };
    expect((await read(schema, { p: ["1", "true"] })).props.p).toEqual([1, true]);
  });

  test("comes to an end with schemas that lead to each other in ever more ways", () => {
    // Eighty alternatives in a row, two ways each; and a schema that is also all of itself.
    const names = Array.from({ length: 80 }, (_, index) => `#/$defs/s${index}`);
    const two = (next: string | undefined) => ({ anyOf: [{ $ref: next ?? "#" }, { $ref: next ?? "#" }] });
    const $defs = Object.fromEntries(names.map((_, index) => [`s${index}`, two(names[index + 1])]));
    const self = {
      allOf: [{ $ref: "#/properties/self" }],
      properties: { in: { $ref: "#/properties/self" } },
    };
    const coerce = createCoercer(
      { type: "object", properties: { p: { $ref: names[0] }, self }, $defs },
      nativePattern,
    );
    const deep = Array.from({ length: 100 }).reduce((inner) => ({ in: inner }), {});
    expect(coerce({ p: { a: "1" }, self: deep })).toEqual({ p: { a: "1" }, self: deep });
  });

  test.each(["integer", "number"])(
    "a string that spells a long integer is that %s, exactly",
    async (type) => {
      const { props } = await read({ properties: { p: { type } } }, { p: "12345678901234567890" });
      expect(props).toEqual({ p: 12345678901234567890n });
    },
  );

  test.each([
    ["number", "12abc"],
    ["number", ""],
    ["integer", "1.5"],
    ["number", "1e400"],
    ["boolean", "yes"],
    ["array", "[1"],
    ["object", "nope"],
  ])("a string that spells no %s stays a mistake: %j", async (type, value) => {
    expect((await failure({ properties: { p: { type } } }, { p: value })).message).toContain(
      `p: must be ${type}`,
    );
  });

  test("numbers are never turned into strings", async () => {
    expect((await failure({ properties: { p: { type: "string" } } }, { p: 5 })).message).toContain(
      "p: must be string, got number 5",
    );
  });
});
