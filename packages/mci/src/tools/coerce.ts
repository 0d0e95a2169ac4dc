/**
 * Models and command lines often spell values as strings. A string becomes a number, boolean, array or object only
 * where the schema asks for that type and not for a string; anything that does not spell one stays as it is, for the
 * validator to name.
 */
export function coerce(value: unknown, schema: unknown, root: unknown = schema, depth = 0): unknown {
  const target = resolve(schema, root);
  if (target === undefined || depth > MAX_DEPTH) return value;
  const next = typeof value === "string" ? fromString(value, typesOf(target, root)) : value;
  if (typeof next !== "object" || next === null) return next;
  const inside = coerceInside(next, target, root, depth);
  const kind = Array.isArray(inside) ? "array" : "object";
  const [fitting, ...others] = alternativesOf(target).filter((alternative) =>
    typesOf(alternative, root).includes(kind),
  );
  return fitting === undefined || others.length > 0 ? inside : coerce(inside, fitting, root, depth + 1);
}

function coerceInside(
  value: object,
  { items, properties, patternProperties, additionalProperties }: Record<string, unknown>,
  root: unknown,
  depth: number,
): object {
  if (Array.isArray(value))
    return items === undefined ? value : value.map((item) => coerce(item, items, root, depth + 1));
  const others = patternProperties === undefined ? additionalProperties : undefined;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const isKnown = isObject(properties) && Object.hasOwn(properties, key);
      return [key, coerce(item, isKnown ? properties[key] : others, root, depth + 1)];
    }),
  );
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
