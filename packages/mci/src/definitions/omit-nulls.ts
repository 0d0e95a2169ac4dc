import { isSchema } from "./json-schema.ts";

/**
 * Takes out null where it stands for "not given": models write it for optional properties, and strict schemas make
 * them. A property keeps its null where its schema may allow it or where it is required.
 */
export function omitNulls(value: unknown, schema: unknown, depth = 0): unknown {
  if (typeof value !== "object" || value === null || !isSchema(schema) || depth > 100) return value;
  if (Array.isArray(value)) return value.map((item) => omitNulls(item, schema["items"], depth + 1));
  const properties = isSchema(schema["properties"]) ? schema["properties"] : {};
  const required = Array.isArray(schema["required"]) ? schema["required"] : [];
  const kept = Object.entries(value).filter(
    ([name, item]) =>
      item !== null ||
      required.includes(name) ||
      !Object.hasOwn(properties, name) ||
      mayBeNull(properties[name]),
  );
  return Object.fromEntries(
    kept.map(([name, item]) => [
      name,
      Object.hasOwn(properties, name) ? omitNulls(item, properties[name], depth + 1) : item,
    ]),
  );
}

/** Only where a schema names its types it is sure that null is none of them. */
function mayBeNull(schema: unknown): boolean {
  if (!isSchema(schema)) return schema !== false;
  const { type, nullable, enum: values } = schema;
  if (Array.isArray(values)) return values.includes(null);
  return type === undefined || nullable === true || [type].flat().includes("null");
}
