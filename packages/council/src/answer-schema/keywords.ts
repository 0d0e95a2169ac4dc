import { isObject } from "@mci-ts/primitives/is-object";
import { type JsonSchema, SchemaError } from "./inline.ts";

/** Throws `SchemaError` for a keyword that is not supported, or whose value is malformed: it would be ignored without a word. */
export function checkKeywords(schema: JsonSchema): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (UNSUPPORTED.has(keyword) && !isNever(keyword, value))
      throw new SchemaError(`uses ${keyword}, which is not supported`);
    const expected = EXPECTED[keyword];
    if (expected !== undefined && !expected.test(value))
      throw new SchemaError(`has the keyword ${keyword} with a value that is not ${expected.name}`);
  }
}

const UNSUPPORTED: ReadonlySet<string> = new Set([
  ...["not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties", "patternProperties"],
  ...["dependencies", "dependentSchemas", "dependentRequired", "$async", "$dynamicRef", "$recursiveRef"],
]);

/** `not: {}` is the schema that nothing fits. */
const isNever = (keyword: string, value: unknown) =>
  keyword === "not" && isObject(value) && Object.keys(value).length === 0;

const TYPES = ["string", "number", "integer", "boolean", "null", "object", "array"];

const isSchema = (value: unknown) => typeof value === "boolean" || isObject(value);
const schemas = {
  name: "a list of schemas",
  test: (value: unknown) => Array.isArray(value) && value.every(isSchema),
};
const schema = { name: "a schema", test: isSchema };
const count = { name: "a number from 0", test: (value: unknown) => typeof value === "number" && value >= 0 };
const number = { name: "a number", test: (value: unknown) => typeof value === "number" };
const text = { name: "a text", test: (value: unknown) => typeof value === "string" };
const list = { name: "a list", test: Array.isArray };
/** Draft 4 has a boolean here. */
const bound = { name: "a number", test: (value: unknown) => ["number", "boolean"].includes(typeof value) };

const EXPECTED: Readonly<Record<string, { readonly name: string; test(value: unknown): boolean }>> = {
  type: {
    name: "a type, or a list of types",
    test(value) {
      const types = [value].flat();
      return types.length <= TYPES.length && types.every((type) => TYPES.includes(String(type)));
    },
  },
  enum: list,
  required: { name: "a list of names", test: (value) => Array.isArray(value) && value.every(text.test) },
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  prefixItems: schemas,
  properties: {
    name: "an object of schemas",
    test: (value) => isObject(value) && Object.values(value).every(isSchema),
  },
  additionalProperties: schema,
  additionalItems: schema,
  propertyNames: schema,
  contains: schema,
  items: { name: "a schema, or a list of schemas", test: (value) => isSchema(value) || schemas.test(value) },
  uniqueItems: { name: "true or false", test: (value) => typeof value === "boolean" },
  pattern: text,
  format: text,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minContains: count,
  maxContains: count,
  minProperties: count,
  maxProperties: count,
  minimum: number,
  maximum: number,
  exclusiveMinimum: bound,
  exclusiveMaximum: bound,
  multipleOf: { name: "a number above 0", test: (value) => typeof value === "number" && value > 0 },
};
