import { isObject } from "@mci-ts/primitives/is-object";
import { truncateText } from "../tool/describe.ts";
import { referencesIn } from "./definitions.ts";
import type { Schema } from "./schema.ts";

/**
 * A schema of at most `maxBytes` bytes. Every model pays for it with every request, and some clients refuse more. What
 * helps least goes first: long descriptions inside, long lists of values, then the parts furthest from the top, whose
 * place then accepts any value.
 */
export function shrinkSchema(
  schema: Schema,
  maxBytes: number,
): { readonly schema: Schema; readonly truncated: boolean } {
  if (sizeOf(schema) <= maxBytes) return { schema, truncated: false };
  let small = schema;
  for (const step of STEPS) {
    small = step(small);
    if (sizeOf(small) <= maxBytes) return { schema: small, truncated: true };
  }
  return { schema: small, truncated: true };
}

const STEPS: readonly ((schema: Schema) => Schema)[] = [
  (schema) => truncateDescriptions(schema, 300),
  (schema) => truncateDescriptions(schema, 120),
  (schema) => onDefinitions(schema, (definition) => truncateDescriptions(definition, 0) as Schema),
  (schema) => truncateDescriptions(schema, 0, 100),
  (schema) => truncateEnums(schema, 30) as Schema,
  ...[6, 5, 4, 3, 2, 1, 0].map((distance) => (schema: Schema) => withoutFar(schema, distance)),
  ...[6, 4, 3, 2].map((depth) => (schema: Schema) => withoutDeep(schema, depth)),
  (schema) => truncateDescriptions(schema, 0),
];

function sizeOf(schema: Schema): number {
  return Buffer.byteLength(JSON.stringify(schema));
}

/** Descriptions of properties of the root may be longer than those inside. */
function truncateDescriptions(schema: Schema, inside: number, outside = inside): Schema {
  return mapSchema(schema, (node, depth) => {
    if (typeof node.description !== "string") return node;
    const length = depth <= 1 ? outside : inside;
    const { description, ...rest } = node;
    return length === 0 ? rest : { ...node, description: truncateText(description as string, length) };
  });
}

function truncateEnums(schema: Schema, most: number): Schema {
  return mapSchema(schema, (node) => {
    if (!Array.isArray(node.enum) || node.enum.length <= most) return node;
    const { enum: values, ...rest } = node;
    const some = (values as unknown[]).slice(0, 5).map(String).join(", ");
    return { ...rest, description: `One of ${(values as unknown[]).length} values such as ${some}` };
  });
}

function onDefinitions(schema: Schema, change: (definition: Schema) => Schema): Schema {
  if (!isObject(schema.$defs)) return schema;
  const changed = Object.entries(schema.$defs).map(([name, value]) => [name, change(value as Schema)]);
  return { ...schema, $defs: Object.fromEntries(changed) };
}

/** Keeps definitions at most `distance` references away from the root. */
function withoutFar(schema: Schema, distance: number): Schema {
  const { $defs, ...root } = schema;
  if (!isObject($defs)) return schema;
  const kept = new Set<string>();
  let next = [...referencesIn(root)];
  for (let step = 0; step < distance && next.length > 0; step++) {
    for (const name of next) kept.add(name);
    next = next.flatMap((name) => [...referencesIn($defs[name])]).filter((name) => !kept.has(name));
  }
  const withoutLost = (node: Schema) => {
    const isLost = typeof node.$ref === "string" && !kept.has(node.$ref.slice("#/$defs/".length));
    return isLost ? {} : node;
  };
  const definitions = [...kept]
    .filter((name) => Object.hasOwn($defs, name))
    .map((name) => [name, mapSchema($defs[name] as Schema, withoutLost)]);
  const changed = mapSchema(root, withoutLost);
  return definitions.length === 0 ? changed : { ...changed, $defs: Object.fromEntries(definitions) };
}

/** Keeps `depth` levels of what stands in the schema itself. */
function withoutDeep(schema: Schema, depth: number): Schema {
  return mapSchema(schema, (node, level) => {
    if (level < depth) return node;
    const { properties, required, items, anyOf, allOf, prefixItems, additionalProperties, ...rest } = node;
    return items === undefined ? rest : { ...rest, items: {} };
  });
}

const MAPS = new Set(["properties", "patternProperties", "$defs"]);
const LISTS = new Set(["anyOf", "allOf", "prefixItems"]);
const SINGLE = new Set(["items", "additionalProperties", "not"]);

/** Applies `change` to a schema and all schemas inside it, outermost first. */
function mapSchema(schema: Schema, change: (node: Schema, depth: number) => Schema, depth = 0): Schema {
  const inner = (value: unknown) => (isObject(value) ? mapSchema(value as Schema, change, depth + 1) : value);
  const entries = Object.entries(change(schema, depth)).map(([key, value]) => {
    if (MAPS.has(key) && isObject(value)) {
      return [key, Object.fromEntries(Object.entries(value).map(([name, item]) => [name, inner(item)]))];
    }
    if (LISTS.has(key) && Array.isArray(value)) return [key, value.map(inner)];
    return [key, SINGLE.has(key) ? inner(value) : value];
  });
  return Object.fromEntries(entries);
}
