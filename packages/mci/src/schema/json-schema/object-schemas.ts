import { isObject } from "@mci-ts/primitives/is-object";

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
  return mapValues(schema, (value, key) => copyKeyword(key, value, depth + 1));
}

function copyKeyword(key: string, value: unknown, depth: number): unknown {
  if (typeof value === "string") return value;
  const copyAll = (items: unknown[]) => items.map((item) => copySchema(item, depth));
  if (ONE.has(key)) return Array.isArray(value) ? copyAll(value) : copySchema(value, depth);
  if (LISTS.has(key) && Array.isArray(value)) return copyAll(value);
  if (MAPS.has(key) && isObject(value)) return mapValues(value, (item) => copySchema(item, depth));
  return typeof value === "boolean"
    ? value
    : isObject(value)
      ? copySchema(value, depth)
      : copyData(value, depth);
}

/** A copy of JSON that may be changed. Much faster than `structuredClone` for small values. */
export function copyData<Value>(value: Value, depth = 0): Value {
  if (depth > MAX_DEPTH || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyData(item, depth + 1)) as Value;
  return mapValues(value as Record<string, unknown>, (item) => copyData(item, depth + 1)) as Value;
}

/** A loop, because lists of entries between would be most of the time. */
function mapValues(
  object: Readonly<Record<string, unknown>>,
  map: (value: unknown, key: string) => unknown,
): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of Object.keys(object)) {
    const value = map(object[key], key);
    if (key === "__proto__") Object.defineProperty(copy, key, { value, ...PROPERTY });
    else copy[key] = value;
  }
  return copy;
}

const PROPERTY = { writable: true, enumerable: true, configurable: true };
