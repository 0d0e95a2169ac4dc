import { isObject } from "../is-object.ts";

/** Keywords that hold one schema, a list of schemas, and schemas by name. */
const ONE: ReadonlySet<string> = new Set(["items", "contains", "propertyNames", "not", "if", "then", "else"]);
const LISTS: ReadonlySet<string> = new Set(["allOf", "anyOf", "oneOf", "prefixItems"]);
const MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);
/** Deeper schemas cannot be used, and copying them would overflow the stack. */
const MAX_DEPTH = 400;

/**
 * A copy that may be changed, with `true` and `false` written as the objects that mean the same: several clients reject
 * a whole list of tools for one boolean schema. `additionalProperties` and the like stay as they are: everyone reads those.
 */
export function objectSchemas(schema: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return copySchema(schema, 0) as Record<string, unknown>;
}

function copySchema(schema: unknown, depth: number): unknown {
  if (schema === true || depth > MAX_DEPTH) return {};
  if (schema === false) return { not: {} };
  if (!isObject(schema)) return copyData(schema, depth);
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, copyKeyword(key, value, depth + 1)]),
  );
}

function copyKeyword(key: string, value: unknown, depth: number): unknown {
  const copyAll = (items: unknown[]) => items.map((item) => copySchema(item, depth));
  if (ONE.has(key)) return Array.isArray(value) ? copyAll(value) : copySchema(value, depth);
  if (LISTS.has(key) && Array.isArray(value)) return copyAll(value);
  if (MAPS.has(key) && isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, copySchema(item, depth)]));
  return typeof value === "boolean"
    ? value
    : isObject(value)
      ? copySchema(value, depth)
      : copyData(value, depth);
}

function copyData(value: unknown, depth: number): unknown {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyData(item, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyData(item, depth + 1)]));
}
