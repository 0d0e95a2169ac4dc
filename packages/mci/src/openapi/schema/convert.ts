import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject } from "../json.ts";
import type { LeftOut } from "../left-out.ts";
import type { References, Target } from "../read/references.ts";
import { truncateText } from "../tool/describe.ts";
import { AllOfMerger } from "./all-of.ts";
import { Definitions } from "./definitions.ts";
import { discriminated } from "./discriminator.ts";
import { copyLimits, defaultNote, enumOf, isReadOnly, lostKeywords, patternOf, typesOf } from "./keywords.ts";
import type { Schema } from "./schema.ts";

export interface ConvertOptions {
  /** Characters of a description. */
  readonly maxDescription: number;
  readonly warn: (message: string) => void;
  readonly leftOut: LeftOut;
}

/** Schemas nested deeper than this, without a reference in between, accept anything from there on. */
const MAX_DEPTH = 60;
/** Schemas inside one schema. Documents that copy instead of referring can multiply without end. */
const MAX_NODES = 20_000;
/** Places that are converted while another one is. */
const MAX_NESTING = 100;

/**
 * Schemas of OpenAPI 3.0, 3.1, 3.2 and Swagger 2 as JSON Schema 2020-12 for input: dialect, examples and read-only
 * properties are left out, references lead to `$defs`. Each place of the document is converted once.
 */
export class SchemaConverter {
  readonly definitions = new Definitions();
  readonly allOf: AllOfMerger;
  readonly #references: References;
  readonly #options: ConvertOptions;
  #nodes = 0;
  #nesting = 0;
  readonly #pending: (() => void)[] = [];

  constructor(references: References, options: ConvertOptions) {
    this.#references = references;
    this.#options = options;
    this.allOf = new AllOfMerger(references);
  }

  /** One schema; what it refers to is in `definitions`. */
  convert(raw: unknown): Schema {
    this.#nodes = 0;
    const schema = this.#convert(raw, 0);
    for (let next = this.#pending.pop(); next !== undefined; next = this.#pending.pop()) next();
    return schema;
  }

  /** A description of at most the characters that it may have. */
  cut(text: string): string {
    const { maxDescription, leftOut } = this.#options;
    const short = truncateText(text, maxDescription);
    if (short.length < text.trim().length) leftOut.addCut(text);
    return short;
  }

  #convert(raw: unknown, depth: number, plain = false): Schema {
    this.#nodes += 1;
    if (raw === false) return { not: {} };
    if (isObject(raw) && (depth > MAX_DEPTH || this.#nodes > MAX_NODES)) {
      this.#options.leftOut.add(
        "keywords",
        depth > MAX_DEPTH ? `below ${MAX_DEPTH} levels` : `beyond ${MAX_NODES} parts`,
      );
      return {};
    }
    if (!isObject(raw)) return {};
    if (typeof field(raw, "$ref") === "string") return this.#reference(raw, depth, plain);
    if (Array.isArray(field(raw, "allOf"))) return this.#allOf(raw, depth);
    const union = plain ? undefined : discriminated(raw, this.#references);
    return this.#keywords(union ?? raw, depth);
  }

  #reference(raw: JsonObject, depth: number, plain: boolean): Schema {
    const { $ref, ...beside } = raw;
    const target = this.#references.lookup($ref as string);
    if (target === undefined) {
      this.#options.warn(`The reference ${$ref} does not resolve; any value is accepted in its place.`);
      return this.#describe({}, beside);
    }
    if (isSimple(target.value))
      return this.#convert({ ...(target.value as JsonObject), ...notes(beside) }, depth + 1);
    const name = this.#define(target, plain);
    if (limits(beside)) {
      return { allOf: [{ $ref: `#/$defs/${name}` }, this.#keywords(beside, depth + 1)] };
    }
    const described = this.#describe({}, beside);
    if (beside.nullable === true)
      return { anyOf: [{ $ref: `#/$defs/${name}` }, { type: "null" }], ...described };
    // Nothing may stand beside a reference, for some providers. A copy can have a description of its own.
    const definition = Object.keys(described).length > 0 ? this.definitions.get(name) : undefined;
    return definition ? { ...definition, ...described } : { $ref: `#/$defs/${name}` };
  }

  /** The name of a place under `$defs`. `plain`: without the kinds that its discriminator tells apart. */
  #define({ pointer, value }: Target, plain: boolean): string {
    const key = plain ? `${pointer} plain` : pointer;
    const existing = this.definitions.nameOf(key);
    if (existing !== undefined) return existing;
    const name = this.definitions.reserve(key, pointer);
    const convert = () => {
      const nodes = this.#nodes;
      this.#nodes = 0;
      this.#nesting += 1;
      this.definitions.set(name, this.#convert(value, 0, plain));
      this.#nesting -= 1;
      this.#nodes = nodes;
    };
    // A long chain of references must not become a deep stack.
    if (this.#nesting < MAX_NESTING) convert();
    else this.#pending.push(convert);
    return name;
  }

  #allOf(raw: JsonObject, depth: number): Schema {
    const merged = this.allOf.merge(raw);
    const parts = field(raw, "allOf") as unknown[];
    const { allOf, ...own } = raw;
    if (parts.length === 1 && isObject(parts[0]) && !limits(own)) {
      return this.#convert({ ...parts[0], ...notes(own) }, depth + 1);
    }
    if (merged !== undefined) return this.#keywords(merged, depth);
    const schema = this.#keywords(own, depth);
    schema.allOf = parts.map((part) => this.#convert(part, depth + 1, true));
    return schema;
  }

  #keywords(raw: JsonObject, depth: number): Schema {
    const convert = (value: unknown) => this.#convert(value, depth + 1);
    const types = typesOf(raw);
    const schema: Schema = {};
    for (const name of lostKeywords(raw)) this.#options.leftOut.add("keywords", name);
    this.#structure(raw, schema, types, convert);
    const values = enumOf(raw, types);
    if (values !== undefined) schema.enum = values;
    if (raw.const !== undefined) schema.const = raw.const;
    copyLimits(raw, schema);
    const pattern = patternOf(raw.pattern);
    if (pattern !== undefined) schema.pattern = pattern;
    if (raw.nullable === true) addNull(schema, types);
    if (types.length > 0) schema.type = types.length === 1 ? types[0] : types;
    return inOrder(this.#describe(schema, raw));
  }

  #structure(raw: JsonObject, schema: Schema, types: string[], convert: (value: unknown) => Schema): void {
    const { properties, items } = raw;
    const alternatives = [raw.oneOf, raw.anyOf].find((list) => Array.isArray(list) && list.length > 0);
    // Branches of a union often overlap, so that a value fits two of them: oneOf would refuse it.
    if (Array.isArray(alternatives)) schema.anyOf = alternatives.map(convert);
    if (isObject(raw.not)) schema.not = convert(raw.not);
    if (isObject(properties)) {
      const wanted = Object.entries(properties).filter(([, value]) => !isReadOnly(this.#lookThrough(value)));
      schema.properties = Object.fromEntries(wanted.map(([name, value]) => [name, convert(value)]));
      if (types.length === 0 && alternatives === undefined) types.push("object");
    }
    const required = this.#required(raw);
    if (required.length > 0) schema.required = required;
    if (raw.additionalProperties === false) schema.additionalProperties = false;
    else if (isObject(raw.additionalProperties)) {
      const others = convert(raw.additionalProperties);
      if (Object.keys(others).length > 0) schema.additionalProperties = others;
    }
    if (isObject(raw.patternProperties)) {
      const patterns = Object.entries(raw.patternProperties).filter(
        ([name]) => patternOf(name) !== undefined,
      );
      schema.patternProperties = Object.fromEntries(patterns.map(([name, value]) => [name, convert(value)]));
    }
    if (isObject(raw.propertyNames)) schema.propertyNames = convert(raw.propertyNames);
    const tuple = Array.isArray(raw.prefixItems) ? raw.prefixItems : Array.isArray(items) ? items : undefined;
    if (tuple !== undefined && tuple.length > 0) schema.prefixItems = tuple.map(convert);
    if (isObject(items)) schema.items = convert(items);
    if (items !== undefined && types.length === 0 && alternatives === undefined) types.push("array");
    if (types.includes("array")) schema.items ??= {};
  }

  #required(raw: JsonObject): string[] {
    if (!Array.isArray(raw.required)) return [];
    const names = raw.required.filter((name) => typeof name === "string");
    const isAsked = (name: string) => !isReadOnly(this.#lookThrough(field(raw.properties, name)));
    return [...new Set(names)].filter(isAsked);
  }

  /** A property that refers to a read-only schema is read-only itself. */
  #lookThrough(value: unknown): unknown {
    if (!isObject(value) || isReadOnly(value)) return value;
    const [only, another] = Array.isArray(value.allOf) ? value.allOf : [value];
    const reference = another === undefined ? field(only, "$ref") : undefined;
    return typeof reference === "string" ? this.#references.lookup(reference)?.value : value;
  }

  #describe(schema: Schema, raw: JsonObject): Schema {
    const text = typeof raw.description === "string" ? raw.description : "";
    const pieces = [this.cut(text), defaultNote(raw)];
    const description = pieces.filter((piece) => piece !== undefined && piece !== "").join("\n");
    if (description !== "") schema.description = description;
    if (raw.deprecated === true) schema.deprecated = true;
    return schema;
  }
}

/** 3.0 says `nullable`; 2020-12 says it in `type`, and in `enum` if there is one. */
function addNull(schema: Schema, types: string[]): void {
  if (Array.isArray(schema.enum) && !schema.enum.includes(null)) schema.enum.push(null);
  if (types.length > 0 && !types.includes("null")) types.push("null");
  if (Array.isArray(schema.anyOf)) schema.anyOf.push({ type: "null" });
}

const NOTES = ["description", "deprecated", "nullable", "default", "readOnly"];

/** Keywords beside a reference that only describe. */
function notes(beside: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(beside).filter(([key]) => NOTES.includes(key)));
}

/** OpenAPI 3.1 allows keywords beside a reference that limit it further. */
const LIMITING = [
  "properties",
  "required",
  "items",
  "enum",
  "const",
  "anyOf",
  "oneOf",
  "pattern",
  "additionalProperties",
];

function limits(beside: JsonObject): boolean {
  return LIMITING.some((key) => Object.hasOwn(beside, key));
}

/** Short enough to stand where it is used. */
function isSimple(value: unknown): boolean {
  if (!isObject(value)) return typeof value === "boolean";
  const types = typesOf(value);
  const isScalar = types.length > 0 && !types.includes("object") && !types.includes("array");
  const isComposed = ["allOf", "anyOf", "oneOf", "not", "$ref"].some((key) => Object.hasOwn(value, key));
  return isScalar && !isComposed && (!Array.isArray(value.enum) || value.enum.length <= 20);
}

/** What a reader looks for first comes first. */
function inOrder({ type, description, ...rest }: Schema): Schema {
  return {
    ...(type === undefined ? {} : { type }),
    ...(description === undefined ? {} : { description }),
    ...rest,
  };
}
