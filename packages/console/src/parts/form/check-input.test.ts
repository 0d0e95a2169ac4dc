import { expect, test } from "vitest";
import { checkInput, MISSING } from "./check-input.ts";
import type { FormSchema } from "./json-schema.ts";

const schema: FormSchema = {
  type: "object",
  properties: {
    name: { type: "string", maxLength: 3 },
    count: { type: "integer", minimum: 1, maximum: 5 },
    mood: { enum: ["glad", "sad"] },
    home: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
    friends: { type: "array", items: { $ref: "#/$defs/friend" }, maxItems: 2 },
    none: { type: "string", nullable: true },
  },
  required: ["name"],
  $defs: { friend: { type: "object", properties: { age: { type: "integer" } }, required: ["age"] } },
};

test.each<[unknown, Record<string, string>]>([
  [{ name: "a" }, {}],
  [{}, { "/name": MISSING }],
  [{ name: "👍👍👍", none: null, mood: "sad", count: 5 }, {}],
  [{ name: "abcd" }, { "/name": "This must have at most 3 characters." }],
  [{ name: 1 }, { "/name": "This must be text." }],
  [{ name: "a", count: 0.5 }, { "/count": "This must be an integer." }],
  [{ name: "a", count: 9 }, { "/count": "This must be at most 5." }],
  [{ name: "a", mood: "odd" }, { "/mood": "This must be one of the choices." }],
  [{ name: "a", home: {} }, { "/home/city": MISSING }],
  [{ name: "a", friends: [{ age: 1 }, {}] }, { "/friends/1/age": MISSING }],
  [{ name: "a", friends: [1, 2, 3] }, { "/friends": "This must have at most 2 items." }],
  [{ name: "a", friends: [undefined] }, { "/friends/0": MISSING }],
  [[], { "": "This must be an object." }],
])("[UI-form-errors] %j: %j", (value, errors) => {
  expect(Object.fromEntries(checkInput(schema, value))).toEqual(errors);
});

const shapes: FormSchema = {
  type: "object",
  properties: {
    code: { type: "string", pattern: "^[A-Z]{2}$" },
    slow: { type: "string", pattern: "^(a+)+$" },
    half: { type: "number", exclusiveMinimum: 0, multipleOf: 2 },
    to: {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "a" }, x: { type: "string" } },
          required: ["kind", "x"],
        },
        {
          type: "object",
          properties: { kind: { const: "b" }, y: { type: "integer" } },
          required: ["kind", "y"],
        },
      ],
    },
    maybe: { anyOf: [{ type: "integer", maximum: 3 }, { type: "null" }] },
    unit: { oneOf: [{ const: 1, title: "one" }, { const: 2 }] },
    map: { type: "object", additionalProperties: { type: "integer" } },
    both: { allOf: [{ $ref: "#/$defs/id" }, { required: ["id"] }] },
    set: { type: "array", uniqueItems: true },
    strict: { type: "object", properties: {}, additionalProperties: false },
  },
  $defs: { id: { type: "object", properties: { id: { type: "string" } } } },
};

test.each<[unknown, Record<string, string>]>([
  [
    { code: "AB", half: 2, to: { kind: "b", y: 1 }, maybe: null, unit: 2, map: { a: 1 }, both: { id: "x" } },
    {},
  ],
  [{ code: "ab" }, { "/code": "This must match ^[A-Z]{2}$" }],
  // A pattern that could keep the page busy is left to the server.
  [{ slow: `${"a".repeat(60)}b` }, {}],
  [{ half: 0 }, { "/half": "This must be more than 0." }],
  [{ half: 3 }, { "/half": "This must be a multiple of 2." }],
  [{ half: 2 ** 60 }, { "/half": "This is too large to be sent exactly from a page: use mci call." }],
  [{ to: { kind: "b" } }, { "/to/y": MISSING }],
  [{ to: { kind: "a", x: 5 } }, { "/to/x": "This must be text." }],
  [{ maybe: 4 }, { "/maybe": "This must be at most 3." }],
  [{ unit: 3 }, { "/unit": "This must be one of the choices." }],
  [{ map: { a: "x" } }, { "/map/a": "This must be an integer." }],
  [{ both: {} }, { "/both/id": MISSING }],
  [{ set: [1, 1] }, { "/set": "No item may occur twice." }],
  [{ strict: { a: 1 } }, { "/strict/a": "There is no such field." }],
])("[UI-form-errors] %j: %j", (value, errors) => {
  expect(Object.fromEntries(checkInput(shapes, value))).toEqual(errors);
});

test("a schema that refers to itself ends [UI-form-errors]", () => {
  const circle: FormSchema = {
    $ref: "#/$defs/a",
    $defs: { a: { allOf: [{ $ref: "#/$defs/a" }, { anyOf: [{ $ref: "#" }, { $ref: "#/$defs/a" }] }] } },
  };
  expect(checkInput(circle, { a: 1 }).size).toBe(0);
});
