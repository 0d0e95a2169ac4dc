/** The part of JSON Schema that the schema of the format uses. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
}

export type Path = readonly (string | number)[];

export interface PropertyHint {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
}

/** Keys that an object at this path may have, over all forms it may take. */
export function propertiesAt(root: JsonSchema, path: Path): PropertyHint[] {
  const found = new Map<string, PropertyHint>();
  for (const schema of schemasAt(root, path)) {
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (found.has(name)) continue;
      const description = forms(root, property).find((form) => form.description)?.description;
      const required = schema.required?.includes(name) ?? false;
      found.set(name, { name, required, ...(description === undefined ? {} : { description }) });
    }
  }
  return [...found.values()];
}

/** Values that the schema names at this path. */
export function valuesAt(root: JsonSchema, path: Path): unknown[] {
  const values = schemasAt(root, path).flatMap(({ enum: choices = [], const: only, type }) => [
    ...choices,
    ...(only === undefined ? [] : [only]),
    ...(type === "boolean" ? [true, false] : []),
  ]);
  return [...new Set(values)];
}

function schemasAt(root: JsonSchema, path: Path): readonly JsonSchema[] {
  return path.reduce<readonly JsonSchema[]>(
    (schemas, key) => schemas.flatMap((schema) => step(schema, key)).flatMap((each) => forms(root, each)),
    forms(root, root),
  );
}

function step({ properties, additionalProperties, items }: JsonSchema, key: string | number): JsonSchema[] {
  if (typeof key === "number") return typeof items === "object" ? [items] : [];
  if (properties && Object.hasOwn(properties, key)) return [properties[key]!];
  return typeof additionalProperties === "object" ? [additionalProperties] : [];
}

/** A schema and everything it refers to or combines. */
function forms(root: JsonSchema, schema: JsonSchema, depth = 0): JsonSchema[] {
  if (depth > 8) return [];
  const { $ref, anyOf = [], oneOf = [], allOf = [] } = schema;
  const target = $ref?.startsWith("#/$defs/") ? root.$defs?.[$ref.slice("#/$defs/".length)] : undefined;
  const others = [...(target ? [target] : []), ...anyOf, ...oneOf, ...allOf];
  return [schema, ...others.flatMap((each) => forms(root, each, depth + 1))];
}
