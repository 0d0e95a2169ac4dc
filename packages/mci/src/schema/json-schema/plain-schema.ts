import { isObject } from "@mci-ts/primitives/is-object";

/**
 * Whether a schema is sure to be valid JSON Schema (2020-12): it has only common keywords, each with a value that it may
 * have. What is not sure is for the meta-schema to decide. Most tools are: to compile the meta-schema would be a third of the
 * time of `mci call`.
 */
export function isPlainSchema(schema: unknown, depth = 0): boolean {
  if (typeof schema === "boolean") return true;
  if (!isObject(schema) || depth > MAX_DEPTH) return false;
  return Object.entries(schema).every(
    ([keyword, value]) =>
      keyword.startsWith("x-") ||
      (Object.hasOwn(KEYWORDS, keyword) &&
        KEYWORDS[keyword]!(value, (part) => isPlainSchema(part, depth + 1))),
  );
}

const MAX_DEPTH = 100;

type Check = (value: unknown, isPlain: (schema: unknown) => boolean) => boolean;

const anything: Check = () => true;
const text: Check = (value) => typeof value === "string";
const flag: Check = (value) => typeof value === "boolean";
const number: Check = (value) => Number.isFinite(value);
const count: Check = (value) => Number.isInteger(value) && (value as number) >= 0;
const list: Check = (value) => Array.isArray(value);
const schema: Check = (value, isPlain) => isPlain(value);
const schemas: Check = (value, isPlain) => Array.isArray(value) && value.length > 0 && value.every(isPlain);
const named: Check = (value, isPlain) => isObject(value) && Object.values(value).every(isPlain);

const TYPES: readonly unknown[] = ["string", "number", "integer", "boolean", "object", "array", "null"];
const isUnique = (items: readonly unknown[]) => new Set(items).size === items.length;

const KEYWORDS: Readonly<Record<string, Check>> = {
  type: (value) =>
    TYPES.includes(value) ||
    (Array.isArray(value) &&
      value.length > 0 &&
      isUnique(value) &&
      value.every((one) => TYPES.includes(one))),
  enum: (value) => Array.isArray(value) && value.length > 0 && isUnique(value) && !value.some(isObject),
  const: anything,
  default: anything,
  examples: list,
  title: text,
  description: text,
  $comment: text,
  format: text,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: (value) => Number.isFinite(value) && (value as number) > 0,
  minLength: count,
  maxLength: count,
  minItems: count,
  maxItems: count,
  minProperties: count,
  maxProperties: count,
  uniqueItems: flag,
  required: (value) =>
    Array.isArray(value) && isUnique(value) && value.every((name) => typeof name === "string"),
  properties: named,
  $defs: named,
  definitions: named,
  additionalProperties: schema,
  items: schema,
  contains: schema,
  not: schema,
  allOf: schemas,
  anyOf: schemas,
  oneOf: schemas,
  $ref: (value) => typeof value === "string" && /^#\/(\$defs|definitions)\/[\w.-]+$/.test(value),
};
