import { isObject } from "@mci-ts/primitives/is-object";
import { textOfPattern } from "./pattern-text.ts";

type JsonSchema = Readonly<Record<string, unknown>>;

/** Values and characters in one placeholder: a caller's schema may ask for lists of lists. */
const MAX_SIZE = 50_000;
const MAX_ITEMS = 100;
const MAX_CHARS = 2000;

/**
 * A value of a schema that holds no facts: texts are "simulated", numbers the smallest that fit, lists as short as they may be. What a
 * schema can say beyond that (several conditions on one value, a pattern with conditions) may not fit; the check of answers says so.
 */
export function placeholder(schema: unknown): unknown {
  return new Filler().fill(schema);
}

class Filler {
  #size = 0;

  fill(schema: unknown): unknown {
    this.#size++;
    if (!isObject(schema) || this.#size > MAX_SIZE) return null;
    const merged = mergeAll(schema);
    if ("const" in merged) return merged["const"];
    if (Array.isArray(merged["enum"])) return merged["enum"][0];
    const branches = merged["anyOf"] ?? merged["oneOf"];
    if (Array.isArray(branches)) {
      const { anyOf: _, oneOf: __, ...rest } = merged;
      const branch = branches.find(isObject);
      return this.fill(branch ? { allOf: [rest, branch] } : rest);
    }
    switch (typeOf(merged)) {
      case "object":
        return this.#object(merged);
      case "array":
        return this.#array(merged);
      case "string":
        return this.#text(merged);
      case "number":
      case "integer":
        return numberFor(merged);
      case "boolean":
        return false;
      default:
        return null;
    }
  }

  #text(schema: JsonSchema): string {
    const text = textFor(schema);
    this.#size += text.length;
    return text;
  }

  #object({ properties, required = [] }: JsonSchema): Record<string, unknown> {
    const schemas = isObject(properties) ? properties : {};
    const names = [...new Set([...Object.keys(schemas), ...(required as readonly string[])])];
    const entries = names.map((name): [string, unknown] => [
      name,
      Object.hasOwn(schemas, name) ? this.fill(schemas[name]) : "simulated",
    ]);
    return Object.fromEntries(entries);
  }

  #array({ items, prefixItems, minItems }: JsonSchema): unknown[] {
    const first = Array.isArray(prefixItems) ? prefixItems : [];
    const length = Math.min(Math.max(Number(minItems ?? 0), first.length), MAX_ITEMS);
    return Array.from({ length }, (_, i) => this.fill(first[i] ?? items));
  }
}

/** The parts of `allOf` as one schema; of a keyword that two parts have, the later one holds, and properties are joined. */
function mergeAll(schema: JsonSchema): JsonSchema {
  const { allOf, ...own } = schema;
  if (!Array.isArray(allOf)) return schema;
  const parts = [own, ...allOf.filter(isObject).map(mergeAll)];
  const properties = Object.fromEntries(parts.flatMap((part) => Object.entries(part["properties"] ?? {})));
  const required = parts.flatMap((part) => (part["required"] as string[] | undefined) ?? []);
  return Object.assign({}, ...parts, { properties, required });
}

function typeOf({ type, properties, items }: JsonSchema): string {
  const types = [type ?? []].flat().map(String);
  const named = types.find((one) => one !== "null") ?? types[0];
  if (named !== undefined) return named;
  if (isObject(properties) && Object.keys(properties).length > 0) return "object";
  return items === undefined ? "string" : "array";
}

const FORMATS: Readonly<Record<string, string>> = {
  date: "2000-01-01",
  time: "00:00:00Z",
  "date-time": "2000-01-01T00:00:00Z",
  duration: "PT0S",
  email: "simulated@example.com",
  hostname: "simulated.example.com",
  ipv4: "192.0.2.1",
  ipv6: "2001:db8::1",
  uri: "https://example.com/simulated",
  url: "https://example.com/simulated",
  uuid: "00000000-0000-4000-8000-000000000000",
};

function textFor({ format, pattern, minLength, maxLength }: JsonSchema): string {
  const least = Math.min(Number(minLength ?? 0), MAX_CHARS);
  const most = Number(maxLength ?? Number.POSITIVE_INFINITY);
  const example = FORMATS[String(format)];
  if (example !== undefined) return example;
  if (typeof pattern === "string") return textOfPattern(pattern, least);
  return "simulated".padEnd(least, " simulated").slice(0, Math.max(most, least));
}

function numberFor({
  type,
  minimum,
  exclusiveMinimum,
  maximum,
  exclusiveMaximum,
  multipleOf,
}: JsonSchema): number {
  const isWhole = type === "integer";
  const step = typeof multipleOf === "number" && multipleOf > 0 ? multipleOf : isWhole ? 1 : undefined;
  const above = typeof exclusiveMinimum === "number" ? exclusiveMinimum : undefined;
  const below = typeof exclusiveMaximum === "number" ? exclusiveMaximum : undefined;
  const least = Math.max(Number(minimum ?? Number.NEGATIVE_INFINITY), above ?? Number.NEGATIVE_INFINITY);
  const most = Math.min(Number(maximum ?? Number.POSITIVE_INFINITY), below ?? Number.POSITIVE_INFINITY);
  const fits = (value: number) =>
    value >= least && value <= most && value !== above && value !== below && Number.isFinite(value);
  if (fits(0)) return 0;
  const near = Number.isFinite(least) ? least : most;
  const candidates =
    step === undefined
      ? [near, near + 1, near - 1, (least + most) / 2]
      : [
          Math.ceil(near / step) * step,
          (Math.floor(near / step) + 1) * step,
          (Math.ceil(near / step) - 1) * step,
        ];
  return candidates.find(fits) ?? near;
}
