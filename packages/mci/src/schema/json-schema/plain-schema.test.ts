import { Ajv } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { isPlainSchema } from "./plain-schema.ts";

const VALUES = [
  true,
  false,
  null,
  0,
  1,
  -1,
  1.5,
  "",
  "string",
  "#/$defs/a",
  [],
  ["string"],
  ["string", "string"],
  [{}],
  [true],
  {},
  { type: "string" },
  { a: { type: "integer" } },
  { a: 1 },
];
const KEYWORDS = [
  "type",
  "enum",
  "const",
  "default",
  "examples",
  "title",
  "description",
  "$comment",
  "format",
  "pattern",
  "deprecated",
  "readOnly",
  "minimum",
  "exclusiveMaximum",
  "multipleOf",
  "minLength",
  "maxItems",
  "minProperties",
  "uniqueItems",
  "required",
  "properties",
  "$defs",
  "definitions",
  "dependencies",
  "additionalProperties",
  "items",
  "prefixItems",
  "contains",
  "not",
  "allOf",
  "anyOf",
  "oneOf",
  "$ref",
  "$id",
  "if",
  "x-order",
];
const metaSchemas = [new Ajv2020({ strict: false }), new Ajv({ strict: false })];
const isValid = (schema: object) => metaSchemas.every((ajv) => ajv.validateSchema(schema) === true);

test("[P-plain-schema] no schema that the meta-schema rejects is plain: every keyword with every kind of value", () => {
  const plain: string[] = [];
  for (const keyword of KEYWORDS) {
    for (const value of VALUES) {
      const schema = { [keyword]: value };
      if (!isPlainSchema(schema)) continue;
      expect(isValid(schema), JSON.stringify(schema)).toBe(true);
      plain.push(keyword);
    }
  }
  // What it leaves to the meta-schema.
  expect(KEYWORDS.filter((keyword) => !plain.includes(keyword))).toEqual([
    "pattern",
    "dependencies",
    "prefixItems",
    "$id",
    "if",
  ]);
});

test("[P-plain-schema] nor one with such a part, however deep", () => {
  const { schema } = fc.letrec((tie) => ({
    schema: fc.dictionary(
      fc.constantFrom(...KEYWORDS),
      fc.oneof(
        { maxDepth: 3 },
        fc.constantFrom(...VALUES),
        tie("schema"),
        fc.array(tie("schema"), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom("a", "b"), tie("schema")),
      ),
      { maxKeys: 3 },
    ),
  }));
  fc.assert(
    fc.property(schema as fc.Arbitrary<object>, (value) => !isPlainSchema(value) || isValid(value)),
    { numRuns: 300 },
  );
});

test("[P-plain-schema] the schema of a usual tool is plain", () => {
  const schema = {
    type: "object",
    properties: {
      city: { type: "string", description: "Its name", minLength: 1 },
      days: { type: ["integer", "null"], minimum: 1, maximum: 14, default: 3 },
      units: { enum: ["metric", "imperial"] },
      tags: { type: "array", items: { $ref: "#/$defs/tag" }, uniqueItems: true },
    },
    required: ["city"],
    additionalProperties: false,
    $defs: { tag: { anyOf: [{ type: "string" }, { type: "number" }] } },
  };
  expect(isPlainSchema(schema)).toBe(true);
  expect(isPlainSchema({ ...schema, required: ["city", "city"] })).toBe(false);
});
