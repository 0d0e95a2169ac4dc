import { expect, test } from "vitest";
import { objectSchemas } from "./object-schemas.ts";

test("[F-object-schemas] boolean schemas become objects that mean the same; other booleans stay", () => {
  const schema = {
    type: "object",
    properties: { any: true, none: false, flag: { type: "boolean", default: true, const: true } },
    items: false,
    anyOf: [true, { not: false }],
    $defs: { a: true },
    additionalProperties: false,
    enum: [true, { properties: true }],
  };
  expect(objectSchemas(schema)).toEqual({
    type: "object",
    properties: { any: {}, none: { not: {} }, flag: { type: "boolean", default: true, const: true } },
    items: { not: {} },
    anyOf: [{}, { not: { not: {} } }],
    $defs: { a: {} },
    additionalProperties: false,
    enum: [true, { properties: true }],
  });
});

test("[F-object-schemas] the copy shares nothing with the schema, and depth does not matter", () => {
  const schema = { properties: { a: { enum: [{ deep: [1] }] } }, "x-own": { list: [1] } };
  const copy = objectSchemas(schema) as typeof schema;
  copy.properties.a.enum[0]!.deep.push(2);
  copy["x-own"].list.push(2);
  expect(schema).toEqual({ properties: { a: { enum: [{ deep: [1] }] } }, "x-own": { list: [1] } });
  expect(() => objectSchemas(JSON.parse(`${'{"not":'.repeat(50_000)}{}${"}".repeat(50_000)}`))).not.toThrow();
});

test("[F-object-schemas] a property called __proto__ is copied as a property", () => {
  const schema = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}');
  const copy = objectSchemas(schema);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(schema));
  expect(Object.getPrototypeOf(copy["properties"])).toBe(Object.prototype);
});
