import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject, objectField } from "../json.ts";
import { encodeStep, type References } from "../read/references.ts";

/**
 * A union whose branches a property tells apart, with that property's value as a `const` in each branch: JSON Schema
 * has no `discriminator`. undefined if the schema is not such a union.
 */
export function discriminated(schema: JsonObject, references: References): JsonObject | undefined {
  const discriminator = field(schema, "discriminator");
  const property = field(discriminator, "propertyName");
  if (typeof property !== "string") return undefined;
  const branches = [schema.oneOf, schema.anyOf].find(Array.isArray);
  const { discriminator: _, oneOf, anyOf, ...rest } = schema;
  const values = valuesByPointer(objectField(discriminator, "mapping"), references);
  if (branches !== undefined) {
    return { ...rest, anyOf: branches.flatMap((branch) => tagged(branch, property, values, references)) };
  }
  // The kinds of a base schema are known by the mapping. The base is in each of them, by allOf.
  if (values.size === 0) return undefined;
  const kinds = [...values.keys()].map((pointer) => ({ $ref: pointer }));
  const { description } = schema;
  return { description, anyOf: kinds.flatMap((kind) => tagged(kind, property, values, references)) };
}

/** Pointer of a branch -> the values that mean it. */
function valuesByPointer(mapping: JsonObject, references: References): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [value, name] of Object.entries(mapping)) {
    if (typeof name !== "string") continue;
    // A plain name is that of a schema in components.
    const target = references.find(name) ?? references.find(`#/components/schemas/${encodeStep(name)}`);
    if (target === undefined) continue;
    values.set(target.pointer, [...(values.get(target.pointer) ?? []), value]);
  }
  return values;
}

function tagged(
  branch: unknown,
  property: string,
  values: ReadonlyMap<string, readonly string[]>,
  references: References,
): unknown[] {
  const reference = field(branch, "$ref");
  if (typeof reference !== "string") return [branch];
  const target = references.lookup(reference);
  if (target === undefined || !isObject(target.value)) return [branch];
  const implied = target.pointer.slice(target.pointer.lastIndexOf("/") + 1);
  const tags = values.get(target.pointer) ?? (values.size === 0 ? [implied] : undefined);
  if (tags === undefined || isFixed(target.value, property)) return [branch];
  const tag = tags.length === 1 ? { const: tags[0] } : { enum: tags };
  const { discriminator, ...plain } = target.value;
  const fixed = {
    type: "object",
    properties: { [property]: { type: "string", ...tag } },
    required: [property],
  };
  const parts = Array.isArray(plain.allOf) ? plain.allOf : [plain];
  return [{ ...(Array.isArray(plain.allOf) ? plain : {}), allOf: [fixed, ...parts] }];
}

/** The branch says itself which value it has. */
function isFixed(schema: JsonObject, property: string): boolean {
  const own = objectField(objectField(schema, "properties"), property);
  return own.const !== undefined || (Array.isArray(own.enum) && own.enum.length === 1);
}
