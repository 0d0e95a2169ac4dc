import { referenced } from "../schema/json-schema/reference.ts";
import {
  isSchema,
  type JsonSchema,
  ONE_SCHEMA,
  type ReportLoss,
  SCHEMA_LIST,
  SCHEMA_MAP,
} from "./json-schema.ts";

/** Deeper schemas are refused by providers, and a hostile one must not cost the stack. */
const MAX_DEPTH = 40;
/** Schemas in a schema, references written out. */
const MAX_SCHEMAS = 20_000;

/**
 * A fresh copy of a schema in the JSON Schema that every provider reads (2020-12 without what one of them refuses):
 * references are written out unless they lead to themselves, `nullable` and other words of OpenAPI and older drafts
 * take today's form, `true` and `false` are objects, and every array says what it holds.
 */
export function portableSchema(schema: unknown, report: ReportLoss = () => {}): JsonSchema {
  return new Rewriter(schema, report).rewriteRoot();
}

class Rewriter {
  readonly #root: unknown;
  readonly #report: ReportLoss;
  /** References that lead back to themselves, with the name of their definition. */
  readonly #cyclic = new Map<string, string>();
  #schemas = 0;

  constructor(root: unknown, report: ReportLoss) {
    this.#root = root;
    this.#report = report;
  }

  rewriteRoot(): JsonSchema {
    const schema = this.#rewrite(this.#root, ["#"], 0);
    const definitions: JsonSchema = {};
    // A definition may bring further ones; the map grows while it is read.
    for (const [pointer, name] of this.#cyclic)
      definitions[name] = this.#rewrite(referenced(this.#root, pointer), [pointer], 1);
    return this.#cyclic.size === 0 ? schema : { ...schema, $defs: definitions };
  }

  #rewrite(source: unknown, trail: readonly string[], depth: number): JsonSchema {
    if (!isSchema(source)) return source === false ? { not: {} } : {};
    this.#schemas++;
    if (depth > MAX_DEPTH || this.#schemas > MAX_SCHEMAS) {
      this.#report(
        depth > MAX_DEPTH
          ? "parts nested very deeply are left out"
          : "parts of a very large schema are left out",
      );
      return {};
    }
    if (typeof source["$ref"] === "string")
      return this.#resolveReference(source["$ref"], source, trail, depth);
    const copy: JsonSchema = {};
    for (const [keyword, value] of Object.entries(source)) {
      if (NOT_FOR_MODELS.has(keyword)) continue;
      copy[keyword] = this.#value(keyword, value, trail, depth + 1);
    }
    return tidy(copy);
  }

  #value(keyword: string, value: unknown, trail: readonly string[], depth: number): unknown {
    // true and false are the usual words here, and every provider knows them.
    if (keyword.startsWith("additional") || keyword.startsWith("unevaluated"))
      return typeof value === "boolean" ? value : this.#rewrite(value, trail, depth);
    if (keyword === "items" && (Array.isArray(value) || value === false))
      return Array.isArray(value) ? value.map((item) => this.#rewrite(item, trail, depth)) : value;
    if (ONE_SCHEMA.has(keyword)) return this.#rewrite(value, trail, depth);
    if (SCHEMA_LIST.has(keyword) && Array.isArray(value))
      return value.map((item) => this.#rewrite(item, trail, depth));
    if (SCHEMA_MAP.has(keyword) && isSchema(value))
      return Object.fromEntries(
        Object.entries(value).map(([name, item]) => [name, this.#rewrite(item, trail, depth)]),
      );
    return structuredClone(value);
  }

  /** What stands beside a reference counts as well, and wins: mostly it is a description. */
  #resolveReference(
    reference: string,
    source: JsonSchema,
    trail: readonly string[],
    depth: number,
  ): JsonSchema {
    const target = referenced(this.#root, reference);
    if (target === undefined) {
      this.#report(`the reference '${reference}' does not resolve`);
      return {};
    }
    if (trail.includes(reference)) return { $ref: `#/$defs/${this.#nameOf(reference)}` };
    const { $ref: _, ...beside } = source;
    const schema = this.#rewrite(target, [...trail, reference], depth + 1);
    if (Object.keys(beside).length === 0) return schema;
    return "$ref" in schema ? schema : { ...schema, ...this.#rewrite(beside, trail, depth + 1) };
  }

  #nameOf(reference: string): string {
    const cached = this.#cyclic.get(reference);
    if (cached !== undefined) return cached;
    const plain =
      reference
        .split("/")
        .at(-1)
        ?.replaceAll(/[^a-zA-Z0-9_]/g, "_") || "root";
    const isTaken = [...this.#cyclic.values()].includes(plain);
    const name = isTaken ? `${plain}_${this.#cyclic.size}` : plain;
    this.#cyclic.set(reference, name);
    return name;
  }
}

/** About the schema itself, or of OpenAPI and of no use to a model. */
const NOT_FOR_MODELS: ReadonlySet<string> = new Set([
  ...[
    "$schema",
    "$id",
    "id",
    "$anchor",
    "$dynamicAnchor",
    "$dynamicRef",
    "$recursiveRef",
    "$recursiveAnchor",
  ],
  ...["$comment", "$vocabulary", "$defs", "definitions"],
  ...["discriminator", "xml", "externalDocs", "example", "readOnly", "writeOnly", "deprecated"],
]);

/** Older forms of one schema in today's form. */
function tidy(schema: JsonSchema): JsonSchema {
  const { nullable, additionalItems, ...rest } = schema;
  let result: JsonSchema = nullable === true ? orNull(rest) : rest;
  if (Array.isArray(result["items"])) {
    const prefixItems = result["items"];
    result = { ...result, prefixItems, items: isSchema(additionalItems) ? additionalItems : {} };
    if (additionalItems === false) result["maxItems"] = prefixItems.length;
  }
  if (result["items"] === false) {
    result["items"] = {};
    result["maxItems"] = Array.isArray(result["prefixItems"]) ? result["prefixItems"].length : 0;
  }
  if (types(result).includes("array")) result["items"] ??= {};
  for (const [flag, limit] of [
    ["exclusiveMinimum", "minimum"],
    ["exclusiveMaximum", "maximum"],
  ] as const) {
    if (typeof result[flag] !== "boolean") continue;
    const { [flag]: isExclusive, [limit]: value, ...others } = result;
    result = value === undefined ? others : { ...others, [isExclusive ? flag : limit]: value };
  }
  return withRequired(withEnum(result));
}

function orNull(schema: JsonSchema): JsonSchema {
  const values = Array.isArray(schema["enum"]) ? { enum: [...schema["enum"], null] } : {};
  if (schema["type"] !== undefined) return { ...schema, type: [...types(schema), "null"], ...values };
  const { description, ...rest } = schema;
  if (Object.keys(rest).length === 0) return schema;
  if ("enum" in values) return { ...schema, ...values };
  return { ...(description === undefined ? {} : { description }), anyOf: [rest, { type: "null" }] };
}

export function types({ type }: JsonSchema): string[] {
  return [type].flat().filter((name) => typeof name === "string");
}

function withEnum(schema: JsonSchema): JsonSchema {
  const type = [...new Set(types(schema))];
  return {
    ...schema,
    ...(Array.isArray(schema["enum"]) ? { enum: distinct(schema["enum"]) } : {}),
    ...(Array.isArray(schema["type"]) ? { type: type.length === 1 ? type[0] : type } : {}),
  };
}

function distinct(values: readonly unknown[]): unknown[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Every required property has a schema, and none is named twice. `required: true` on a property is of draft 3. */
function withRequired(schema: JsonSchema): JsonSchema {
  const { required, ...rest } = schema;
  if (!Array.isArray(required)) return rest;
  const names = [...new Set(required.filter((name) => typeof name === "string"))];
  if (names.length === 0) return rest;
  if (!isSchema(rest["properties"])) return { ...rest, required: names };
  const missing = names.filter((name) => !Object.hasOwn(rest["properties"] as object, name));
  const properties = { ...rest["properties"], ...Object.fromEntries(missing.map((name) => [name, {}])) };
  return { ...rest, properties, required: names };
}
