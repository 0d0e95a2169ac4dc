import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { isObject } from "@mci-ts/primitives/is-object";

/** The part of JSON Schema that the form understands. Anything else is edited as JSON. */
export interface FormSchema {
  readonly type?: string | readonly string[];
  readonly title?: string;
  readonly description?: string;
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly FormSchema[];
  readonly anyOf?: readonly FormSchema[];
  readonly allOf?: readonly FormSchema[];
  readonly properties?: Readonly<Record<string, FormSchema>>;
  readonly required?: readonly string[];
  readonly items?: FormSchema;
  readonly additionalProperties?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly writeOnly?: boolean;
  readonly contentEncoding?: string;
  readonly contentMediaType?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly multipleOf?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly nullable?: boolean;
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, FormSchema>>;
}

export type FieldKind =
  | "text"
  | "date"
  | "date-time"
  | "password"
  | "file"
  | "number"
  | "boolean"
  | "choice"
  | "choices"
  | "object"
  | "map"
  | "list"
  | "union"
  | "json";

const MAX_DEPTH = 6;
const MAX_CHOICES = 500;
/** More boxes than this are a list of menus. */
const MAX_BOXES = 50;

/** How a value of this schema is edited. Deep or unusual schemas are edited as JSON. Expects the result of `resolveSchema`. */
export function kindOf(schema: FormSchema, depth = 0): FieldKind {
  if (choicesOf(schema) !== undefined) return "choice";
  if (depth < MAX_DEPTH && variantsOf(schema) !== undefined) return "union";
  const type = typeOf(schema);
  if (type === "string") return textKind(schema);
  if (type === "number" || type === "integer") return "number";
  if (type === "boolean") return "boolean";
  if (depth >= MAX_DEPTH) return "json";
  if (type === "object" || (type === undefined && schema.properties)) return objectKind(schema);
  if (type === "array" && isObject(schema.items)) {
    const boxes = choicesOf(schema.items)?.length ?? MAX_BOXES + 1;
    return boxes <= MAX_BOXES ? "choices" : "list";
  }
  return "json";
}

function objectKind({ properties, additionalProperties }: FormSchema): FieldKind {
  if (properties && Object.keys(properties).length > 0) return "object";
  return isObject(additionalProperties) ? "map" : "json";
}

function textKind({ format, writeOnly, contentEncoding }: FormSchema): FieldKind {
  if (contentEncoding === "base64" || format === "byte" || format === "binary" || format === "data-url")
    return "file";
  if (format === "password" || writeOnly) return "password";
  return format === "date" || format === "date-time" ? format : "text";
}

export interface Choice {
  readonly value: unknown;
  readonly label: string;
}

/** The values of an enumeration: of `enum`, `const`, or alternatives that are one value each. */
export function choicesOf(schema: FormSchema): readonly Choice[] | undefined {
  if (schema.const !== undefined) return [choice(schema.const)];
  if (Array.isArray(schema.enum) && schema.enum.length > 0 && schema.enum.length <= MAX_CHOICES)
    return schema.enum.map((value) => choice(value));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (!Array.isArray(alternatives) || alternatives.length === 0 || alternatives.length > MAX_CHOICES)
    return undefined;
  if (!alternatives.every((each) => isObject(each) && each["const"] !== undefined)) return undefined;
  return alternatives.map(({ const: value, title }: FormSchema) => choice(value, title));
}

function choice(value: unknown, title?: string): Choice {
  return { value, label: title ?? (typeof value === "string" ? value : JSON.stringify(value)) };
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: "text",
  number: "number",
  integer: "integer",
  boolean: "true or false",
  object: "object",
  array: "list",
};

/** What a value can be, where it can be one of several: `oneOf`, `anyOf`, or more than one type. Without null. */
export function variantsOf(schema: FormSchema): readonly FormSchema[] | undefined {
  const { oneOf, anyOf, ...base } = schema;
  const alternatives = oneOf ?? anyOf;
  if (Array.isArray(alternatives)) {
    // Alternatives that only say which fields are required are for the server to check.
    const isShaped = (each: FormSchema) =>
      isObject(each) && ["type", "properties", "$ref", "const", "enum"].some((key) => key in each);
    if (alternatives.length < 2 || !alternatives.every(isShaped)) return undefined;
    const { title: _, description: __, default: ___, ...shared } = base;
    return alternatives.filter((each) => each.type !== "null").map((each) => merge(shared, each));
  }
  const types = [schema.type ?? []].flat().filter((each) => each !== "null");
  if (types.length < 2) return undefined;
  return types.map((type) => ({ ...base, title: TYPE_NAMES[type] ?? type, type }));
}

export function isNullable(schema: FormSchema): boolean {
  const { nullable, type, oneOf, anyOf } = schema;
  return (
    nullable === true ||
    [type ?? []].flat().includes("null") ||
    [oneOf ?? anyOf ?? []].flat().some((each) => each?.type === "null")
  );
}

/** The type without null; undefined where there are several. */
function typeOf({ type }: FormSchema): string | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((each) => each !== "null");
  return types.length === 1 ? (types[0] as string | undefined) : undefined;
}

/** References and parts that one schema may consist of. */
const MAX_RESOLVED = 100;

/**
 * A schema without references at its top: what it refers to, what it is made of (`allOf`), and a choice between null and one other
 * thing as that thing. One that refers to itself ends.
 */
export function resolveSchema(schema: FormSchema, root: FormSchema): FormSchema {
  return resolve(schema, root, { left: MAX_RESOLVED });
}

function resolve(written: FormSchema, root: FormSchema, budget: { left: number }): FormSchema {
  if (!isObject(written) || budget.left-- <= 0) return {};
  const schema: FormSchema = written as FormSchema;
  const { $ref, allOf, ...own } = schema;
  if ($ref !== undefined) {
    // Two properties of one shared type are told apart by their own names, so the type's title does not count.
    const { title: _, ...target } = resolve(lookUp($ref, root), root, budget);
    return resolve(merge(target, { ...own, ...(allOf ? { allOf } : {}) }), root, budget);
  }
  if (Array.isArray(allOf))
    return resolve(
      allOf.reduce<FormSchema>((all, part) => merge(all, resolve(part, root, budget)), own),
      root,
      budget,
    );
  const key = schema.oneOf ? "oneOf" : "anyOf";
  const alternatives = schema[key];
  const others = Array.isArray(alternatives) ? alternatives.filter((each) => each?.type !== "null") : [];
  if (alternatives !== undefined && others.length === 1) {
    const { [key]: _, ...rest } = own as FormSchema;
    const only = resolve(merge(others[0]!, rest), root, budget);
    return others.length < alternatives.length ? { ...only, nullable: true } : only;
  }
  return schema;
}

function merge(base: FormSchema, own: FormSchema): FormSchema {
  const required = [...new Set([...(base.required ?? []), ...(own.required ?? [])])];
  return {
    ...base,
    ...own,
    ...(base.properties || own.properties ? { properties: { ...base.properties, ...own.properties } } : {}),
    ...(required.length > 0 ? { required } : {}),
  };
}

function lookUp(reference: string, root: FormSchema): FormSchema {
  if (reference === "#") return root;
  if (!reference.startsWith("#/")) return {};
  const target = reference
    .slice(2)
    .split("/")
    .reduce<unknown>((node, key) => {
      const name = decodeUri(key).replaceAll("~1", "/").replaceAll("~0", "~");
      return typeof node === "object" && node !== null && Object.hasOwn(node, name)
        ? (node as Record<string, unknown>)[name]
        : undefined;
    }, root);
  return isObject(target) ? (target as FormSchema) : {};
}

/** What the form starts with: defaults, and nothing else. An object that may be left out starts left out. */
export function initialValue(schema: FormSchema, root: FormSchema, depth = 0): unknown {
  const resolved = resolveSchema(schema, root);
  if (resolved.default !== undefined) return resolved.default;
  if (resolved.const !== undefined) return resolved.const;
  if (kindOf(resolved, depth) !== "object") return undefined;
  const { properties = {}, required = [] } = resolved;
  const filled = Object.entries(properties)
    .map(([name, property]): [string, unknown] => [
      name,
      required.includes(name)
        ? initialValue(property, root, depth + 1)
        : resolveSchema(property, root).default,
    ])
    .filter(([, value]) => value !== undefined);
  return depth === 0 || filled.length > 0 ? Object.fromEntries(filled) : undefined;
}
