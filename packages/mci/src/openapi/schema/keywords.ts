import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonObject } from "../json.ts";

/** Copies the keywords that limit a value, as far as they are well-formed in JSON Schema 2020-12. */
export function copyLimits(raw: JsonObject, into: Record<string, unknown>): void {
  for (const name of COUNTS) {
    const value = number(raw[name]);
    if (value !== undefined && Number.isInteger(value) && value >= 0) into[name] = value;
  }
  for (const name of BOUNDS) {
    const value = number(raw[name]);
    if (value !== undefined) into[name] = value;
  }
  // Before draft 6 these were flags beside minimum and maximum.
  for (const [flag, bound] of EXCLUSIVE) {
    if (raw[flag] !== true || into[bound] === undefined) continue;
    into[flag] = into[bound];
    delete into[bound];
  }
  const multiple = number(raw.multipleOf);
  if (multiple !== undefined && multiple > 0) into.multipleOf = multiple;
  if (raw.uniqueItems === true) into.uniqueItems = true;
  if (typeof raw.format === "string") into.format = raw.format;
  for (const name of ["contentEncoding", "contentMediaType"])
    if (typeof raw[name] === "string") into[name] = raw[name];
}

const COUNTS = ["minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties"];
const BOUNDS = ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"];
const EXCLUSIVE = [
  ["exclusiveMinimum", "minimum"],
  ["exclusiveMaximum", "maximum"],
] as const;

/** YAML documents quote numbers now and then. */
function number(value: unknown): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || !/^-?\d+(\.\d+)?$/.test(value.trim())) return undefined;
  return Number(value);
}

const TYPES = ["string", "number", "integer", "boolean", "array", "object", "null"];
const OTHER_NAMES: Readonly<Record<string, string>> = {
  int: "integer",
  int32: "integer",
  int64: "integer",
  long: "integer",
  float: "number",
  double: "number",
  decimal: "number",
  bool: "boolean",
  str: "string",
  text: "string",
  date: "string",
  datetime: "string",
  "date-time": "string",
  uuid: "string",
  file: "string",
};

/** The types a schema names; empty if it names none that exists. */
export function typesOf(raw: JsonObject): string[] {
  const named = Array.isArray(raw.type) ? raw.type : [raw.type];
  const types = named
    .filter((name) => typeof name === "string")
    .map((name) => {
      const lower = name.toLowerCase();
      return Object.hasOwn(OTHER_NAMES, lower) ? OTHER_NAMES[lower]! : lower;
    })
    .filter((name) => TYPES.includes(name));
  return [...new Set(types)];
}

/** Values of an enum in the schema's type (YAML reads `1` and `no` as no strings), each once. */
export function enumOf(raw: JsonObject, types: readonly string[]): unknown[] | undefined {
  if (!Array.isArray(raw.enum) || raw.enum.length === 0) return undefined;
  const seen = new Map<string, unknown>();
  for (const item of raw.enum) {
    const value = inType(item, types);
    seen.set(JSON.stringify(value) ?? "undefined", value);
  }
  return [...seen.values()];
}

function inType(value: unknown, types: readonly string[]): unknown {
  if (value === null || typeof value === "object" || types.length === 0) return value;
  const has = (name: string) => types.includes(name);
  if (typeof value !== "string")
    return has("string") && types.length <= 2 && !fits(value, types) ? String(value) : value;
  if (has("string")) return value;
  if ((has("integer") || has("number")) && /^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  if (has("boolean") && (value === "true" || value === "false")) return value === "true";
  return value;
}

function fits(value: unknown, types: readonly string[]): boolean {
  if (typeof value === "boolean") return types.includes("boolean");
  return types.includes("number") || (types.includes("integer") && Number.isInteger(value));
}

/** A pattern that JavaScript understands, or undefined. Some documents write the slashes of a literal around it. */
export function patternOf(raw: unknown): string | undefined {
  if (typeof raw !== "string" || raw === "") return undefined;
  const pattern = /^\/\^.*\$\/[a-z]*$/s.test(raw) ? raw.slice(1, raw.lastIndexOf("/")) : raw;
  try {
    new RegExp(pattern, "u");
    return pattern;
  } catch {
    return undefined;
  }
}

/** Keywords that limit a value and that converted schemas do not have. */
const UNKNOWN = [
  ...[
    "if",
    "dependentRequired",
    "dependentSchemas",
    "dependencies",
    "contains",
    "minContains",
    "maxContains",
  ],
  ...["unevaluatedProperties", "unevaluatedItems", "$dynamicRef", "$recursiveRef"],
];

/** What is lost of a schema. */
export function lostKeywords(raw: JsonObject): string[] {
  const isBoth =
    Array.isArray(raw.oneOf) && Array.isArray(raw.anyOf) && raw.oneOf.length > 0 && raw.anyOf.length > 0;
  const patterns = isObject(raw.patternProperties) ? Object.keys(raw.patternProperties) : [];
  const unreadable = [raw.pattern, ...patterns].filter(
    (pattern) => typeof pattern === "string" && pattern !== "" && patternOf(pattern) === undefined,
  );
  return [
    ...UNKNOWN.filter((name) => Object.hasOwn(raw, name)),
    ...(isBoth ? ["anyOf beside oneOf"] : []),
    ...unreadable.map(() => "a pattern that is not valid"),
  ];
}

/** What a schema says about its default, for people; the keyword itself would be sent with every call. */
export function defaultNote(raw: JsonObject): string | undefined {
  const value = raw.default;
  if (value === undefined || value === null || value === "") return undefined;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text !== undefined && text.length <= 100 ? `Default: ${text}` : undefined;
}

export function isReadOnly(schema: unknown): boolean {
  return isObject(schema) && schema.readOnly === true;
}
