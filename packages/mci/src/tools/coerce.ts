import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { exactInteger, parseExact } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import type { LinearPattern } from "@mci-ts/primitives/linear-pattern";
import type { CompilePattern } from "../schema/json-schema/pattern.ts";

/** Converts values to the types of a schema. Modifies objects and arrays in place. */
export type Coercer = (value: unknown) => unknown;

type Schema = Record<string, unknown>;

/** The parts of a schema that matter for coercion. */
interface Plan {
  readonly types: readonly string[];
  readonly items: unknown;
  /** The schemas of the first items, each its own. */
  readonly tuple: readonly unknown[];
  readonly properties: Readonly<Schema>;
  readonly patterns: readonly (readonly [LinearPattern, unknown])[];
  /** The schema of properties without one of their own. */
  readonly others: unknown;
  /** Further schemas for the same value, if it is an array, and if it is an object. */
  readonly forArray: readonly unknown[];
  readonly forObject: readonly unknown[];
}

/** Values are nested less deeply; a schema may refer to itself. */
const MAX_DEPTH = 1500;
/** Additional schemas applied in one call. Schemas that refer to each other would otherwise multiply. */
const MAX_ADDITIONAL = 100_000;
/** Schemas applied to values in one call. What is left after that stays as it is. */
const MAX_STEPS = 5_000_000;

/**
 * Models and command lines often give values as strings. A string becomes a number, boolean, array or object only where
 * the schema requires that type and does not allow a string. Anything else stays as it is, for the validator to report.
 */
export function createCoercer(root: unknown, compilePattern: CompilePattern): Coercer {
  // Each schema is analysed once, not on every call.
  const plans = new Map<unknown, Plan | undefined>();
  const planFor = planner(root, compilePattern);
  let additional = 0;
  let steps = 0;
  const planOf = (schema: unknown) => {
    const cached = plans.get(schema);
    if (cached !== undefined || plans.has(schema)) return cached;
    const plan = planFor(schema);
    plans.set(schema, plan);
    return plan;
  };

  const coerce = (value: unknown, schema: unknown, depth: number): unknown => {
    steps += 1;
    if (schema === undefined || depth > MAX_DEPTH || steps > MAX_STEPS) return value;
    const plan = planOf(schema);
    if (plan === undefined) return value;
    const next =
      typeof value === "string"
        ? fromString(value, plan.types)
        : typeof value === "bigint"
          ? fromInteger(value, plan.types)
          : value;
    if (typeof next !== "object" || next === null) return next;
    const isArray = Array.isArray(next);
    if (isArray) coerceItems(next, plan, depth);
    else coerceFields(next as Record<string, unknown>, plan, depth);
    for (const schema of isArray ? plan.forArray : plan.forObject) {
      additional += 1;
      if (additional <= MAX_ADDITIONAL) coerce(next, schema, depth + 1);
    }
    return next;
  };

  const coerceItems = (list: unknown[], { tuple, items }: Plan, depth: number) => {
    if (items === undefined && tuple.length === 0) return;
    for (const [index, item] of list.entries()) list[index] = coerce(item, tuple[index] ?? items, depth + 1);
  };

  const coerceFields = (fields: Record<string, unknown>, plan: Plan, depth: number) => {
    const { properties, patterns, others } = plan;
    for (const name of Object.keys(fields)) {
      const isKnown = Object.hasOwn(properties, name);
      if (isKnown) fields[name] = coerce(fields[name], properties[name], depth + 1);
      const matching = patterns.length === 0 ? patterns : patterns.filter(([pattern]) => pattern.test(name));
      for (const [, schema] of matching) fields[name] = coerce(fields[name], schema, depth + 1);
      if (!isKnown && matching.length === 0) fields[name] = coerce(fields[name], others, depth + 1);
    }
  };

  return (value) => {
    additional = 0;
    steps = 0;
    return coerce(value, root, 0);
  };
}

/** Creates the plans for the schemas of one document; undefined for a schema without constraints. */
function planner(root: unknown, compilePattern: CompilePattern): (schema: unknown) => Plan | undefined {
  const cache = new Map<Schema, readonly string[]>();

  /** The types a schema allows; empty if it, or one of its alternatives, does not specify any. */
  const typesOf = (schema: unknown): readonly string[] => {
    const target = resolve(schema, root);
    if (target === undefined) return [];
    const found = cache.get(target);
    if (found !== undefined) return found;
    cache.set(target, []); // In case it refers to itself.
    const types = typesIn(target);
    cache.set(target, types);
    return types;
  };

  const typesIn = (target: Schema): readonly string[] => {
    if (target.type !== undefined) return [target.type].flat().filter((name) => typeof name === "string");
    const each = alternativesOf(target).map(typesOf);
    if (each.length > 0) return each.some((types) => types.length === 0) ? [] : [...new Set(each.flat())];
    const all = listOf(target.allOf)
      .map(typesOf)
      .filter((types) => types.length > 0);
    return (all[0] ?? []).filter((type) => all.every((types) => types.includes(type)));
  };

  return (schema) => {
    const target = resolve(schema, root);
    if (target === undefined) return undefined;
    const { items, prefixItems, properties, patternProperties, additionalProperties } = target;
    const additional = (kind: string) => {
      const fitting = alternativesOf(target).filter((schema) => typesOf(schema).includes(kind));
      // With several matching alternatives the intended one is unknown.
      return [...listOf(target.allOf), ...(fitting.length === 1 ? fitting : [])];
    };
    return {
      types: typesOf(target),
      // Before 2020 the list of schemas was called items, too.
      items: Array.isArray(items) ? target.additionalItems : items,
      tuple: listOf(Array.isArray(items) ? items : prefixItems),
      properties: isObject(properties) ? properties : {},
      patterns: Object.entries(isObject(patternProperties) ? patternProperties : {}).flatMap(
        ([pattern, schema]) => {
          const matcher = compilePattern(pattern);
          return matcher === undefined ? [] : [[matcher, schema] as const];
        },
      ),
      others: additionalProperties,
      forArray: additional("array"),
      forObject: additional("object"),
    };
  };
}

/** Each part in one way only, so that a long string that is almost a number takes linear time. */
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

function fromString(value: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return value;
  const trimmed = value.trim();
  if (types.includes("integer") && /^[+-]?\d+$/.test(trimmed)) return toExactNumber(trimmed) ?? value;
  if (types.includes("number") && NUMBER.test(trimmed)) return toExactNumber(trimmed) ?? value;
  if (types.includes("boolean") && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (types.includes("array") && trimmed.startsWith("[")) return parsed(trimmed) ?? value;
  if (types.includes("object") && trimmed.startsWith("{")) return parsed(trimmed) ?? value;
  if (types.includes("null") && trimmed === "null") return null;
  return value;
}

/** A long id must not become another one. undefined for what no number can be. */
function toExactNumber(digits: string): number | bigint | undefined {
  const number = Number(digits);
  return Number.isFinite(number) ? (exactInteger(digits) ?? number) : undefined;
}

/** Text where the schema has text for what is too long for a number. */
function fromInteger(value: bigint, types: readonly string[]): unknown {
  return types.includes("string") && !types.includes("integer") && !types.includes("number")
    ? String(value)
    : value;
}

function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

/** Follows local references; a boolean schema has no constraints. */
function resolve(schema: unknown, root: unknown): Schema | undefined {
  let current = schema;
  for (let hops = 0; hops < 16 && isObject(current) && typeof current.$ref === "string"; hops++) {
    if (!/^#(\/|$)/.test(current.$ref)) return undefined;
    current = current.$ref
      .split("/")
      .slice(1)
      .map((step) => decodeUri(step).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((at, step) => memberOf(at, step), root);
  }
  return isObject(current) ? current : undefined;
}

/** A step of a reference; it may lead through a list (`#/anyOf/0`). */
function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Schema)[name];
}

/** `anyOf` or `oneOf`, which many generators use for nullable values. */
function alternativesOf({ anyOf, oneOf }: Schema): readonly unknown[] {
  return listOf(anyOf ?? oneOf);
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
