/** A JSON Schema that is not true or false. */
export type JsonSchema = Record<string, unknown>;

/** Called with what was lost, and where. */
export type ReportLoss = (loss: string) => void;

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
export const ONE_SCHEMA: ReadonlySet<string> = new Set([
  "items",
  "additionalProperties",
  "unevaluatedProperties",
  "unevaluatedItems",
  "contains",
  "propertyNames",
  "not",
  "if",
  "then",
  "else",
]);
export const SCHEMA_LIST: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
export const SCHEMA_MAP: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
]);

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `anyOf` of schemas that are not the same twice; a single one stands alone. */
export function anyOf(schemas: readonly unknown[]): JsonSchema {
  const distinct = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()];
  return distinct.length === 1 && isSchema(distinct[0]) ? distinct[0] : { anyOf: distinct };
}

/** The same schema, with a note in its description for each keyword that this provider does not support. */
export function withNote(schema: JsonSchema, note: string): JsonSchema {
  const { description } = schema;
  return { ...schema, description: typeof description === "string" ? `${description} (${note})` : note };
}

/** Rewrites every schema inside a schema, the innermost first. The outermost is handed over last. */
export function mapSchemas(schema: unknown, rewrite: (schema: JsonSchema) => JsonSchema): unknown {
  if (!isSchema(schema)) return schema;
  const mapped: JsonSchema = {};
  for (const [keyword, value] of Object.entries(schema)) mapped[keyword] = within(keyword, value, rewrite);
  return rewrite(mapped);
}

function within(keyword: string, value: unknown, rewrite: (schema: JsonSchema) => JsonSchema): unknown {
  if (ONE_SCHEMA.has(keyword)) return mapSchemas(value, rewrite);
  if (SCHEMA_LIST.has(keyword) && Array.isArray(value)) return value.map((item) => mapSchemas(item, rewrite));
  if ((SCHEMA_MAP.has(keyword) || keyword === "$defs") && isSchema(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapSchemas(item, rewrite)]));
  return value;
}
