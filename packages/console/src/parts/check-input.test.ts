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
