import { isObject } from "@mci-ts/primitives/is-object";
import { explainUnusable } from "@mci-ts/primitives/linear-pattern";
import type { JsonPath } from "../../template-api.ts";

export type JsonSchema = Readonly<Record<string, unknown>>;

/** Something in a schema that is translated or ignored, and where. */
export interface SchemaNote {
  readonly path: JsonPath;
  readonly message: string;
  readonly hint?: string;
  /** "translated": it means the same in an older dialect, or in OpenAPI; "ignored": it has no effect. */
  readonly kind: "translated" | "ignored";
}

export interface UsableSchema {
  readonly schema: Record<string, unknown>;
  readonly notes: readonly SchemaNote[];
  /** It applies several schemas to one value (`allOf`, `$ref` and the like), so that the work may multiply. */
  readonly isComposed: boolean;
}

export interface UsableOptions {
  /** "draft-07" has lists of schemas in `items`; in 2020-12 they are called `prefixItems`. */
  readonly dialect: "2020-12" | "draft-07";
  /** Patterns that cannot be used are left out. Default: all can. */
  readonly isUsablePattern?: (pattern: string) => boolean;
}

/** Bounds of a schema: far above any real one. Compiling takes about a millisecond for 20 values. */
const MAX_SCHEMA_VALUES = 20_000;
const MAX_SCHEMA_DEPTH = 200;

/** Thrown for a schema beyond the bounds. */
export class SchemaLimitError extends Error {
  override readonly name = "SchemaLimitError";
}

/** Keywords whose value is data, not a schema. */
const DATA: ReadonlySet<string> = new Set([
  "default",
  "const",
  "enum",
  "examples",
  "example",
  "dependentRequired",
]);
/** Keywords whose value maps names to schemas. */
export const SCHEMA_MAPS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "$defs",
  "definitions",
  "dependentSchemas",
  "dependencies",
]);
/** Keywords that apply further schemas to the same value. */
const IN_PLACE: ReadonlySet<string> = new Set([
  "$ref",
  "$dynamicRef",
  "$recursiveRef",
  "allOf",
  "anyOf",
  "oneOf",
  "not",
  "if",
  "dependentSchemas",
  "dependencies",
]);

/**
 * A copy of a schema that the validator can use. Keywords of draft 4 and of OpenAPI are translated; `$async`, which
 * would turn validation into a promise, and unusable patterns are left out.
 */
export function usableSchema(schema: JsonSchema, options: UsableOptions): UsableSchema {
  const notes: SchemaNote[] = [];
  let values = 0;
  let isComposed = false;

  const count = (depth: number) => {
    values += 1;
    if (values > MAX_SCHEMA_VALUES)
      throw new SchemaLimitError(`it has more than ${MAX_SCHEMA_VALUES} values`);
    if (depth > MAX_SCHEMA_DEPTH)
      throw new SchemaLimitError(`it is nested more than ${MAX_SCHEMA_DEPTH} levels deep`);
  };

  const copy = (value: unknown, path: JsonPath, depth: number): unknown => {
    count(depth);
    if (Array.isArray(value)) return value.map((item, index) => copy(item, [...path, index], depth + 1));
    return isObject(value) ? copySchema(value, path, depth) : value;
  };

  const copyData = (value: unknown, depth: number): unknown => {
    count(depth);
    if (Array.isArray(value)) return value.map((item) => copyData(item, depth + 1));
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copyData(item, depth + 1)]));
  };

  const copyMap = (map: Record<string, unknown>, keyword: string, path: JsonPath, depth: number) => {
    count(depth);
    const isPatterns = keyword === "patternProperties";
    return Object.fromEntries(
      Object.entries(map)
        .filter(([name]) => !isPatterns || isUsable(name, [...path, name]))
        .map(([name, item]) => [name, copy(item, [...path, name], depth + 1)]),
    );
  };

  const isUsable = (pattern: string, path: JsonPath): boolean => {
    if (options.isUsablePattern?.(pattern) ?? true) return true;
    notes.push({ path, ...explainUnusable(pattern), kind: "ignored" });
    return false;
  };

  const copySchema = (source: Record<string, unknown>, path: JsonPath, depth: number) => {
    const entries: [string, unknown][] = [];
    for (const [key, value] of Object.entries(source)) {
      const at = [...path, key];
      if (IN_PLACE.has(key)) isComposed = true;
      const note = translated(key, value, source);
      if (note !== undefined) {
        if (note.note !== undefined) notes.push({ path: at, ...note.note });
        entries.push(...note.entries);
      } else if (key === "pattern" && typeof value === "string") {
        if (isUsable(value, at)) entries.push([key, value]);
      } else if (key === "items" && Array.isArray(value) && options.dialect === "2020-12") {
        entries.push(["prefixItems", copy(value, at, depth + 1)]);
        if (source.additionalItems !== undefined)
          entries.push(["items", copy(source.additionalItems, [...path, "additionalItems"], depth + 1)]);
      } else if (DATA.has(key)) entries.push([key, copyData(value, depth + 1)]);
      else if (SCHEMA_MAPS.has(key) && isObject(value))
        entries.push([key, copyMap(value, key, at, depth + 1)]);
      else entries.push([key, copy(value, at, depth + 1)]);
    }
    return withNull(source, withRequired(source, Object.fromEntries(entries)));
  };

  return { schema: copySchema(schema, [], 0), notes, isComposed };
}

interface Translation {
  readonly entries: [string, unknown][];
  readonly note?: Omit<SchemaNote, "path">;
}

/** How a keyword of another dialect is said today; undefined for every other keyword. */
function translated(key: string, value: unknown, source: Record<string, unknown>): Translation | undefined {
  const today = (message: string, hint: string, entries: [string, unknown][] = []): Translation => ({
    entries,
    note: { message, hint, kind: "translated" },
  });
  switch (key) {
    case "$async": {
      const message = "'$async' is ignored: input is validated synchronously";
      return { entries: [], note: { message, hint: "remove it", kind: "ignored" } };
    }
    case "minimum":
    case "maximum":
      return source[exclusive(key)] === true ? { entries: [[exclusive(key), value]] } : undefined;
    case "exclusiveMinimum":
    case "exclusiveMaximum":
      if (typeof value !== "boolean") return undefined;
      return today(`'${key}: ${value}' is draft 4`, exclusiveHint(key, value, source));
    case "required":
      if (typeof value !== "boolean") return undefined;
      return today(
        `'required: ${value}' on a property is draft 3`,
        value
          ? "remove it, and list the property's name in 'required' beside 'properties'"
          : "remove it: a property is optional unless 'required' beside 'properties' lists it",
      );
    case "divisibleBy":
      return today("'divisibleBy' is draft 3", `write "multipleOf": ${JSON.stringify(value)}`, [
        ["multipleOf", value],
      ]);
    case "nullable":
      if (typeof value !== "boolean") return undefined;
      return today("'nullable' is OpenAPI 3.0", nullableHint(value, source));
    case "type":
      return value === "any" ? today("The type 'any' is draft 3", "leave the type out") : undefined;
    default:
      return undefined;
  }
}

function exclusiveHint(key: string, isExclusive: boolean, source: Record<string, unknown>): string {
  const bound = key === "exclusiveMinimum" ? "minimum" : "maximum";
  if (!isExclusive || source[bound] === undefined) return "remove it";
  return `write "${key}": ${JSON.stringify(source[bound])} instead of it and '${bound}'`;
}

function nullableHint(isNullable: boolean, { type, enum: values }: Record<string, unknown>): string {
  if (!isNullable) return "remove it";
  if (typeof type !== "string" && !Array.isArray(type))
    return 'write "anyOf": [ this schema, { "type": "null" } ]';
  const types = `write "type": ${JSON.stringify([...new Set([type, "null"].flat())])}`;
  return Array.isArray(values) ? `${types}, and add null to 'enum'` : types;
}

const exclusive = (key: "minimum" | "maximum") =>
  key === "minimum" ? "exclusiveMinimum" : "exclusiveMaximum";

/** Draft 3: `required: true` on a property is a name in the list of its parent. */
function withRequired(source: Record<string, unknown>, schema: Record<string, unknown>) {
  if (!isObject(source.properties)) return schema;
  const names = Object.entries(source.properties)
    .filter(([, property]) => isObject(property) && property.required === true)
    .map(([name]) => name);
  if (names.length === 0) return schema;
  const listed = Array.isArray(schema.required) ? schema.required : [];
  return { ...schema, required: [...new Set([...listed, ...names])] };
}

/** OpenAPI 3.0: `nullable: true` adds null to what is allowed. */
function withNull(source: Record<string, unknown>, schema: Record<string, unknown>) {
  if (source.nullable !== true) return schema;
  const { type, enum: values } = schema;
  const { default: _, ...constraints } = schema;
  const isTyped = typeof type === "string" || Array.isArray(type);
  if (!isTyped) return Object.keys(constraints).length === 0 ? schema : { anyOf: [schema, { type: "null" }] };
  return {
    ...schema,
    type: [...new Set([type, "null"].flat())],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

/** Every pattern of a schema. Stops at the bounds of a schema. */
export function patternsIn(schema: JsonSchema): Set<string> {
  const patterns = new Set<string>();
  const pending: unknown[] = [schema];
  for (let count = 0; pending.length > 0 && count <= MAX_SCHEMA_VALUES; count++) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    const { pattern, patternProperties } = next as JsonSchema;
    if (typeof pattern === "string") patterns.add(pattern);
    if (isObject(patternProperties)) for (const name of Object.keys(patternProperties)) patterns.add(name);
    for (const value of Object.values(next)) pending.push(value);
  }
  return patterns;
}

/** Whether a schema may have something to translate or to ignore. Far quicker than `usableSchema`. */
export function mayNeedTranslation(
  schema: JsonSchema,
  isUsablePattern: (pattern: string) => boolean,
): boolean {
  const pending: object[] = [schema];
  for (let count = 0; count < pending.length && count <= MAX_SCHEMA_VALUES; count++) {
    const next = pending[count] as JsonSchema;
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === "object" && item !== null) pending.push(item);
      continue;
    }
    for (const key of Object.keys(next)) {
      const value = next[key];
      if (key === "pattern" ? typeof value === "string" && !isUsablePattern(value) : FOREIGN[key]?.(value))
        return true;
      if (key === "patternProperties" && isObject(value) && !Object.keys(value).every(isUsablePattern))
        return true;
      if (typeof value === "object" && value !== null) pending.push(value);
    }
  }
  return pending.length > MAX_SCHEMA_VALUES;
}

const isBoolean = (value: unknown) => typeof value === "boolean";

/** Keywords of other dialects, and the values that make them so. */
const FOREIGN: Readonly<Record<string, (value: unknown) => boolean>> = {
  __proto__: null as never,
  $async: () => true,
  exclusiveMinimum: isBoolean,
  exclusiveMaximum: isBoolean,
  required: isBoolean,
  divisibleBy: () => true,
  nullable: isBoolean,
  type: (value) => value === "any",
};

/** Whether a schema names a draft in which the keywords that are translated are correct. */
export function isOlderDraft({ $schema }: JsonSchema): boolean {
  return typeof $schema === "string" && /draft-0[1-4]/.test($schema);
}

/** A dialect whose rules the validator has: draft 3 to 7 by those of 7, everything else by those of 2020-12. */
export function dialectOf({ $schema }: JsonSchema): UsableOptions["dialect"] {
  return typeof $schema === "string" && /draft-0[1-7]/.test($schema) ? "draft-07" : "2020-12";
}
