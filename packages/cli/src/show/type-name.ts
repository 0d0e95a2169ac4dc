import { isObject } from "@mci-ts/primitives/is-object";

type Schema = Readonly<Record<string, unknown>>;

/** Values of an enum that are listed. */
const MAX_VALUES = 50;
const MAX_DEPTH = 5;

/** A schema in a few words: `"a"|"b"`, `array of string`, `{id: integer, name?: string}`. `inside`: with the properties of objects. */
export function typeName(schema: Schema, inside = true, depth = 0): string {
  const { type, enum: values, const: value, items, anyOf, oneOf, allOf, $ref } = schema;
  if (depth > MAX_DEPTH) return "…";
  if (value !== undefined) return JSON.stringify(value);
  if (Array.isArray(values)) return enumText(values);
  const choices = [anyOf, oneOf].filter(Array.isArray).flat();
  const name = (part: unknown) => typeName(isObject(part) ? part : {}, inside, depth + 1);
  if (choices.length > 0) return [...new Set(choices.map(name))].join(" | ");
  if (Array.isArray(allOf)) return [...new Set(allOf.map(name))].join(" & ");
  if (typeof $ref === "string") return $ref.split("/").at(-1)!;
  if (Array.isArray(type))
    return type.map((one) => typeName({ ...schema, type: one }, inside, depth)).join("|");
  if (type === "array")
    return isObject(items) && Object.keys(items).length > 0 ? `array of ${name(items)}` : "array";
  if (inside && isObject(schema["properties"]))
    return objectText(schema["properties"], schema["required"], name);
  return typeof type === "string" ? type : isObject(schema["properties"]) ? "object" : "any";
}

function enumText(values: readonly unknown[]): string {
  const listing = values.slice(0, MAX_VALUES).map((value) => JSON.stringify(value));
  const more = values.length > MAX_VALUES ? [`${values.length - MAX_VALUES} more`] : [];
  return [...listing, ...more].join("|");
}

function objectText(properties: Schema, required: unknown, name: (schema: unknown) => string): string {
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties).map(
    ([key, schema]) => `${key}${needed.includes(key) ? "" : "?"}: ${name(schema)}`,
  );
  return `{${fields.join(", ")}}`;
}
