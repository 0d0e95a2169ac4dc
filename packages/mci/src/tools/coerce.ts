/** Turns values into the types that a schema asks for. Objects and arrays it changes in place. */
export type Coercer = (value: unknown) => unknown;

/** What of a schema matters here. */
interface Plan {
  readonly types: readonly string[];
  readonly items: unknown;
  readonly properties: Readonly<Record<string, unknown>>;
  /** Of properties without a schema of their own. */
  readonly others: unknown;
  /** The one alternative for an array, and for an object; undefined where there is none or a choice. */
  readonly array: unknown;
  readonly object: unknown;
}

/**
 * Models and command lines often spell values as strings. A string becomes a number, boolean, array or object only
 * where the schema asks for that type and not for a string; anything that does not spell one stays as it is, for the
 * validator to name.
 */
export function coercer(root: unknown): Coercer {
  // Schemas are looked at once, not at every call.
  const plans = new Map<unknown, Plan | undefined>();
  const planOf = (schema: unknown) => {
    const known = plans.get(schema);
    if (known !== undefined || plans.has(schema)) return known;
    const target = resolve(schema, root);
    const plan = target && planFor(target, root);
    plans.set(schema, plan);
    return plan;
  };

  const coerce = (value: unknown, schema: unknown, depth: number): unknown => {
    if (schema === undefined || depth > MAX_DEPTH) return value;
    const plan = planOf(schema);
    if (plan === undefined) return value;
    const next = typeof value === "string" ? fromString(value, plan.types) : value;
    if (typeof next !== "object" || next === null) return next;
    if (Array.isArray(next)) {
      if (plan.items !== undefined)
        for (const [index, item] of next.entries()) next[index] = coerce(item, plan.items, depth + 1);
      return coerce(next, plan.array, depth + 1);
    }
    coerceFields(next as Record<string, unknown>, plan, depth);
    return coerce(next, plan.object, depth + 1);
  };

  const coerceFields = (fields: Record<string, unknown>, { properties, others }: Plan, depth: number) => {
    for (const name of Object.keys(fields)) {
      const schema = Object.hasOwn(properties, name) ? properties[name] : others;
      if (schema !== undefined) fields[name] = coerce(fields[name], schema, depth + 1);
    }
  };

  return (value) => coerce(value, root, 0);
}

function planFor(target: Record<string, unknown>, root: unknown): Plan {
  const { items, properties, patternProperties, additionalProperties } = target;
  const alternative = (kind: string) => {
    const fitting = alternativesOf(target).filter((schema) => typesOf(schema, root).includes(kind));
    return fitting.length === 1 ? fitting[0] : undefined;
  };
  return {
    types: typesOf(target, root),
    items,
    properties: isObject(properties) ? properties : {},
    others: patternProperties === undefined ? additionalProperties : undefined,
    array: alternative("array"),
    object: alternative("object"),
  };
}

/** Schemas may refer to themselves. */
const MAX_DEPTH = 32;

function fromString(value: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return value;
  const trimmed = value.trim();
  if (types.includes("integer") && /^[+-]?\d+$/.test(trimmed)) return exactly(trimmed) ?? value;
  if (types.includes("number") && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed))
    return exactly(trimmed) ?? value;
  if (types.includes("boolean") && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (types.includes("array") && trimmed.startsWith("[")) return parsed(trimmed) ?? value;
  if (types.includes("object") && trimmed.startsWith("{")) return parsed(trimmed) ?? value;
  if (types.includes("null") && trimmed === "null") return null;
  return value;
}

/** undefined for what a number cannot hold: a long id must not turn into another one. */
function exactly(digits: string): number | undefined {
  const number = Number(digits);
  const isExact = /^[+-]?\d+$/.test(digits) ? Number.isSafeInteger(number) : Number.isFinite(number);
  return isExact ? number : undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Follows local references; a schema that is no object (true, false) asks for nothing. */
function resolve(schema: unknown, root: unknown): Record<string, unknown> | undefined {
  let current = schema;
  for (let hops = 0; hops < 16 && isObject(current) && typeof current.$ref === "string"; hops++) {
    if (!current.$ref.startsWith("#/")) return undefined;
    current = current.$ref
      .slice(2)
      .split("/")
      .map((step) => decodeURIComponent(step).replaceAll("~1", "/").replaceAll("~0", "~"))
      .reduce<unknown>((at, step) => (isObject(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
  }
  return isObject(current) ? current : undefined;
}

/** The types a schema asks for; none if it, or one of its alternatives, does not say. */
function typesOf(schema: unknown, root: unknown, depth = 0): readonly string[] {
  const target = resolve(schema, root);
  if (target === undefined || depth > MAX_DEPTH) return [];
  if (target.type !== undefined) return [target.type].flat().filter((name) => typeof name === "string");
  const each = alternativesOf(target).map((alternative) => typesOf(alternative, root, depth + 1));
  return each.some((types) => types.length === 0) ? [] : each.flat();
}

/** Of `anyOf` or `oneOf`: how many programs write a value that may be null. */
function alternativesOf({ anyOf, oneOf }: Record<string, unknown>): readonly unknown[] {
  const alternatives = anyOf ?? oneOf;
  return Array.isArray(alternatives) ? alternatives : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
