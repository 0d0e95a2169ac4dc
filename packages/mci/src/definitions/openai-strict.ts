import { isSchema, type JsonSchema, withNote } from "./json-schema.ts";
import { types } from "./portable-schema.ts";
import type { ObjectSchema } from "./root-object.ts";

/**
 * A schema as OpenAI's strict mode wants it: objects are closed, every property is required, and what was optional may
 * be null (the client takes such nulls out again). undefined where a schema says what strict mode cannot: objects with
 * any properties, values of any type, choices that overlap.
 */
export function strictSchema(schema: ObjectSchema): ObjectSchema | undefined {
  try {
    return strict(schema) as ObjectSchema;
  } catch (error) {
    if (error instanceof NoStrictForm) return undefined;
    throw error;
  }
}

class NoStrictForm extends Error {}

const KEPT: ReadonlySet<string> = new Set([
  ...["type", "description", "title", "enum", "const", "$ref", "pattern"],
  ...["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf", "minItems", "maxItems"],
]);
const FORMATS: readonly unknown[] = [
  ...["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"],
];
/** Said in the description instead. */
const NOTED = ["minLength", "maxLength", "uniqueItems", "default"] as const;
const IMPOSSIBLE = [
  "allOf",
  "not",
  "if",
  "dependentSchemas",
  "dependentRequired",
  "patternProperties",
  "prefixItems",
];

function strict(schema: unknown): JsonSchema {
  if (!isSchema(schema) || IMPOSSIBLE.some((keyword) => keyword in schema)) throw new NoStrictForm();
  if (typeof schema["$ref"] === "string") return { $ref: schema["$ref"] };
  const choices = schema["anyOf"] ?? schema["oneOf"];
  const isSaid =
    types(schema).length > 0 || Array.isArray(schema["enum"]) || "const" in schema || Array.isArray(choices);
  if (!isSaid) throw new NoStrictForm();
  let result: JsonSchema = Object.fromEntries(
    Object.entries(schema).filter(([keyword]) => KEPT.has(keyword)),
  );
  if (Array.isArray(choices)) result["anyOf"] = choices.map(strict);
  if (types(schema).includes("array")) result["items"] = strict(schema["items"]);
  if (types(schema).includes("object")) result = { ...result, ...closed(schema) };
  if (isSchema(schema["$defs"])) result["$defs"] = mapValues(schema["$defs"], strict);
  for (const keyword of NOTED)
    if (keyword in schema) result = withNote(result, `${keyword}: ${JSON.stringify(schema[keyword])}`);
  if (FORMATS.includes(schema["format"])) result["format"] = schema["format"];
  else if (schema["format"] !== undefined) result = withNote(result, `format: ${schema["format"]}`);
  return result;
}

function closed(schema: JsonSchema): JsonSchema {
  const { properties = {}, required, additionalProperties } = schema;
  // An object that says nothing about its properties takes any.
  const isOpen = additionalProperties !== undefined && additionalProperties !== false;
  if (isOpen || !isSchema(properties) || (!("properties" in schema) && additionalProperties !== false))
    throw new NoStrictForm();
  const needed: readonly unknown[] = Array.isArray(required) ? required : [];
  return {
    properties: mapValues(properties, (property, name) =>
      needed.includes(name) ? strict(property) : orNull(strict(property)),
    ),
    required: Object.keys(properties),
    additionalProperties: false,
  };
}

function orNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, description } = schema;
  if (types(schema).includes("null")) return schema;
  if (Array.isArray(anyOf)) return { ...schema, anyOf: [...anyOf, { type: "null" }] };
  if (type === undefined || "const" in schema) {
    const { description: _, ...rest } = schema;
    return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: "null" }] };
  }
  return {
    ...schema,
    type: [...types(schema), "null"],
    ...(Array.isArray(values) ? { enum: [...values, null] } : {}),
  };
}

function mapValues(object: JsonSchema, change: (value: unknown, name: string) => unknown): JsonSchema {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}
