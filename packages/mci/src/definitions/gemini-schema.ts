import { anyOf, isSchema, type JsonSchema, mapSchemas, type ReportLoss, withNote } from "./json-schema.ts";
import { types } from "./portable-schema.ts";
import type { ObjectSchema } from "./root-object.ts";

/**
 * A schema in the words that Gemini documents for JSON Schema. `const` becomes `enum`, `allOf` one schema; what cannot
 * be said stands in the description. Schemas that lead to themselves end at the second round: deeper values are left
 * to the client's own check.
 */
export function geminiSchema(schema: ObjectSchema, report: ReportLoss = () => {}): ObjectSchema {
  const { $defs, ...root } = schema;
  const definitions = isSchema($defs) ? $defs : {};
  if (Object.keys(definitions).length > 0)
    report("a schema that refers to itself is cut after its first round");
  const open = mapSchemas(root, (part) => unrolled(part, definitions));
  const described = mapSchemas(open, (part) => inGeminiWords(part, report));
  return {
    ...(described as JsonSchema),
    type: "object",
    properties: (described as ObjectSchema).properties ?? {},
  };
}

const KNOWN: ReadonlySet<string> = new Set([
  ...["type", "title", "description", "enum", "format", "properties", "required", "additionalProperties"],
  ...["items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf"],
]);
/** Words that a model understands in a description. */
const NOTED: ReadonlySet<string> = new Set([
  ...[
    "pattern",
    "minLength",
    "maxLength",
    "multipleOf",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "uniqueItems",
  ],
  ...["default", "not", "patternProperties", "propertyNames", "minProperties", "maxProperties", "contains"],
]);
const FORMATS: readonly unknown[] = ["date-time", "date", "time", "int32", "int64", "float", "double"];

function unrolled(schema: JsonSchema, definitions: JsonSchema): JsonSchema {
  const name = typeof schema["$ref"] === "string" ? schema["$ref"].replace("#/$defs/", "") : undefined;
  const target = name === undefined ? undefined : definitions[name];
  if (target === undefined) return schema;
  // One round, whose own references stay open.
  return mapSchemas(target, (part) =>
    "$ref" in part ? openEnd(part["$ref"], definitions) : part,
  ) as JsonSchema;
}

function openEnd(reference: unknown, definitions: JsonSchema): JsonSchema {
  const target = definitions[String(reference).replace("#/$defs/", "")];
  const [type] = isSchema(target) ? types(target) : [];
  return { ...(type === undefined ? {} : { type }), description: "The same again." };
}

function inGeminiWords(schema: JsonSchema, report: ReportLoss): JsonSchema {
  const { allOf, oneOf, const: value, format, ...rest } = schema;
  let result: JsonSchema = "const" in schema ? { enum: [value], ...rest } : { ...rest };
  if (Array.isArray(allOf)) for (const part of allOf) if (isSchema(part)) result = merged(result, part);
  if (Array.isArray(oneOf)) result = { ...result, ...anyOf(oneOf) };
  if (FORMATS.includes(format)) result["format"] = format;
  else if (format !== undefined) result = withNote(result, `format: ${String(format)}`);
  result = stringEnum(result);
  for (const [keyword, content] of Object.entries(result)) {
    if (KNOWN.has(keyword)) continue;
    delete result[keyword];
    if (NOTED.has(keyword)) result = withNote(result, `${keyword}: ${JSON.stringify(content)}`);
    else if (!keyword.startsWith("x-")) report(`Gemini does not know '${keyword}'`);
  }
  return result;
}

/** An enum holds strings, or numbers where the type says so; null is a type of its own. */
function stringEnum(schema: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = schema;
  if (!Array.isArray(values)) return schema;
  const choices = values.filter((value) => value !== null);
  if (choices.every((value) => typeof value === "string"))
    return { type: "string", ...rest, ...(choices.length > 0 ? { enum: choices } : {}) };
  if (choices.every((value) => typeof value === "number")) return { type: "number", ...rest, enum: choices };
  return withNote(rest, `one of ${JSON.stringify(values)}`);
}

function merged(a: JsonSchema, b: JsonSchema): JsonSchema {
  const properties = { ...(b["properties"] as object), ...(a["properties"] as object) };
  const required = [...new Set([...list(a["required"]), ...list(b["required"])])];
  return {
    ...b,
    ...a,
    ...(Object.keys(properties).length > 0 ? { properties } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
