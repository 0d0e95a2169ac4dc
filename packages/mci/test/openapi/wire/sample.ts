import type { ValidateFunction } from "ajv";
import Ajv from "ajv/dist/2020.js";
import formats from "ajv-formats";
import fc from "fast-check";

type Schema = Record<string, unknown>;

/** Values for a tool: with all its properties, or only with those it requires. undefined if none could be found. */
export function sampleInput(schema: Schema, which: "all" | "required"): Record<string, unknown> | undefined {
  const properties = schema.properties as Record<string, Schema>;
  const required = (schema.required as string[] | undefined) ?? [];
  const names = which === "all" ? Object.keys(properties) : required;
  try {
    const input = Object.fromEntries(names.map((name) => [name, sample(properties[name]!, schema, 0)]));
    return compile(schema)(input) ? input : undefined;
  } catch (error) {
    if (error instanceof EndlessSchema) return undefined;
    throw error;
  }
}

/** Compiles the meta-schema once, which takes twenty times as long as the schema of a tool. */
const metaSchema = new Ajv.default();

/** A tool is called with all its properties and with those it requires, by one schema. */
const compiled = new WeakMap<object, ValidateFunction>();

export function compile(schema: object): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  metaSchema.validateSchema(schema, true);
  const ajv = new Ajv.default({
    strict: false,
    logger: false,
    validateSchema: false,
    code: { optimize: false },
  });
  formats.default(ajv);
  const validate = ajv.compile(schema);
  compiled.set(schema, validate);
  return validate;
}

/** A schema that requires itself has no finite value, or none that was found. */
class EndlessSchema extends Error {}

const MAX_DEPTH = 40;

/** Hard to write: each piece of it ends something somewhere. */
const AWKWARD = "a b&c=d/é,|;%";

function sample(schema: Schema, root: Schema, depth: number): unknown {
  if (depth > MAX_DEPTH) throw new EndlessSchema();
  if (typeof schema.$ref === "string") return sample(resolve(schema.$ref, root), root, depth + 1);
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return sampleEnum(schema.enum, schema.type);
  const merged = mergeAllOf(schema, root, depth);
  if (Array.isArray(merged.anyOf)) return sampleUnion(merged, root, depth);
  const type =
    [merged.type].flat().find((name) => name !== "null") ?? (merged.properties ? "object" : undefined);
  switch (type) {
    case "object":
      return sampleObject(merged, root, depth);
    case "array":
      return sampleArray(merged, root, depth);
    case "integer":
    case "number":
      return sampleNumber(merged);
    case "boolean":
      return true;
    case "null":
      return null;
    default:
      return sampleString(merged);
  }
}

/** A schema with its parts in it; of other keywords than these the last one counts. */
function mergeAllOf(schema: Schema, root: Schema, depth: number): Schema {
  if (!Array.isArray(schema.allOf) || depth > MAX_DEPTH) return schema;
  const { allOf, ...own } = schema;
  const parts = [own, ...(allOf as Schema[]).map((part) => mergeAllOf(deref(part, root), root, depth + 1))];
  const properties = Object.assign({}, ...parts.map((part) => part.properties));
  const required = [...new Set(parts.flatMap((part) => (part.required ?? []) as string[]))];
  const merged: Schema = Object.assign({}, ...parts);
  if (Object.keys(properties).length > 0) Object.assign(merged, { properties, required });
  return merged;
}

/** Some documents list values that the type beside them does not allow. */
function sampleEnum(values: readonly unknown[], type: unknown): unknown {
  const wanted = [type].flat().map((name) => (name === "integer" ? "number" : name));
  const fits = (value: unknown) => value !== null && (type === undefined || wanted.includes(typeof value));
  return values.find(fits) ?? values.find((value) => value !== null) ?? null;
}

function deref(schema: Schema, root: Schema): Schema {
  return typeof schema.$ref === "string" ? resolve(schema.$ref, root) : schema;
}

function resolve(reference: string, root: Schema): Schema {
  return (root.$defs as Record<string, Schema>)[reference.slice("#/$defs/".length)]!;
}

function sampleUnion(schema: Schema, root: Schema, depth: number): unknown {
  const branches = schema.anyOf as Schema[];
  const usable = branches.filter(({ type }) => type !== "null");
  // Deep inside a branch that refers to nothing, so that schemas which contain themselves end.
  const flat = depth > 6 ? branches.find((branch) => !JSON.stringify(branch).includes('"$ref"')) : undefined;
  const branch = flat ?? (depth > 6 ? smallest(usable, root) : usable[0]) ?? branches[0]!;
  const value = sample(branch, root, depth + 1);
  // Keywords beside the union hold as well.
  const { anyOf, ...beside } = schema;
  const isObjectValue = typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObjectValue || (beside.type !== "object" && beside.properties === undefined)) return value;
  return { ...sampleObject(beside, root, depth), ...value };
}

/** The branch whose definition is the shortest. */
function smallest(branches: readonly Schema[], root: Schema): Schema | undefined {
  const size = (branch: Schema) => JSON.stringify(deref(branch, root)).length;
  return [...branches].sort((a, b) => size(a) - size(b))[0];
}

function sampleObject(schema: Schema, root: Schema, depth: number): Record<string, unknown> {
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  // Deep inside only what must be there, so that schemas which contain themselves end.
  const names = depth > 3 ? required : [...new Set([...Object.keys(properties), ...required])];
  const fields = names.map((name): [string, unknown] => [
    name,
    sample(properties[name] ?? {}, root, depth + 1),
  ]);
  const others = schema.additionalProperties;
  if (fields.length === 0 && typeof others === "object" && others !== null)
    fields.push(["key", sample(others as Schema, root, depth + 1)]);
  const missing = Number(schema.minProperties ?? 0) - fields.length;
  for (let index = 0; index < missing; index++) fields.push([`key${index}`, "x"]);
  return Object.fromEntries(fields);
}

function sampleArray(schema: Schema, root: Schema, depth: number): unknown[] {
  if (Array.isArray(schema.prefixItems))
    return schema.prefixItems.map((item) => sample(item as Schema, root, depth + 1));
  const least = Number(schema.minItems ?? 0);
  const most = Number(schema.maxItems ?? 2);
  const count = depth > 8 ? least : Math.max(least, Math.min(2, most));
  const item = sample((schema.items ?? {}) as Schema, root, depth + 1);
  if (!schema.uniqueItems || count < 2) return Array.from({ length: count }, () => item);
  if (typeof item === "number") return Array.from({ length: count }, (_, index) => item + index);
  const values = (schema.items as Schema | undefined)?.enum;
  if (Array.isArray(values)) return values.slice(0, count);
  return typeof item === "string" &&
    !(schema.items as Schema).pattern &&
    !(schema.items as Schema).format &&
    !(schema.items as Schema).maxLength
    ? Array.from({ length: count }, (_, index) => `${item}${index}`)
    : Array.from({ length: Math.max(1, least) }, () => item);
}

function sampleNumber(schema: Schema): number {
  const step = Number(schema.multipleOf ?? 1);
  const low = Number(
    schema.minimum ??
      (schema.exclusiveMinimum === undefined ? Number.NaN : Number(schema.exclusiveMinimum) + step),
  );
  const high = Number(
    schema.maximum ??
      (schema.exclusiveMaximum === undefined ? Number.NaN : Number(schema.exclusiveMaximum) - step),
  );
  if (!Number.isNaN(low)) return Math.ceil(low / step) * step;
  return Number.isNaN(high) || high >= 7 ? 7 * step : Math.floor(high / step) * step;
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "2026-01-31",
  "date-time": "2026-01-31T12:00:00Z",
  time: "12:00:00Z",
  duration: "P1D",
  email: "a@example.com",
  "idn-email": "a@example.com",
  hostname: "example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/a?b=c",
  url: "https://example.com/a?b=c",
  "uri-reference": "/a?b=c",
  iri: "https://example.com/a?b=c",
  "uri-template": "/a/{b}",
  uuid: "3f2b8a52-5c1a-4e0c-9a53-0d8f1f4f7a11",
  byte: "aGk=",
  "json-pointer": "/a/b",
  "relative-json-pointer": "1",
  regex: "a+",
};

function sampleString(schema: Schema): string {
  const format = String(schema.format ?? "");
  if (typeof schema.pattern === "string") return matching(schema.pattern, schema);
  if (Object.hasOwn(FORMATS, format)) return FORMATS[format]!;
  const least = Number(schema.minLength ?? 0);
  const most = Number(schema.maxLength ?? 1e6);
  return AWKWARD.padEnd(least, "x").slice(0, most);
}

function matching(pattern: string, schema: Schema): string {
  const fits = (text: string) =>
    text.length >= Number(schema.minLength ?? 0) &&
    text.length <= Number(schema.maxLength ?? 1e6) &&
    text !== "";
  try {
    const texts = fc.stringMatching(new RegExp(pattern, "u"), { size: "small" });
    return fc.sample(texts, { numRuns: 60, seed: 7 }).find((text) => fits(text) && isPlain(text)) ?? "x";
  } catch {
    return "x";
  }
}

/** A path cannot hold a lone surrogate, and segments of dots are refused on purpose. */
function isPlain(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.isWellFormed() && !/^\.+$|[\x00-\x1f\x7f]/.test(text);
}
