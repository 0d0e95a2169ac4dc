/**
 * Models and command lines often spell values as strings. A string becomes a number, boolean, array or object only
 * where the schema asks for that type and not for a string; anything that does not spell one stays as it is, for the
 * validator to name.
 */
export function coerce(value: unknown, schema: unknown, root: unknown = schema, depth = 0): unknown {
  const target = resolve(schema, root);
  if (target === undefined || depth > 32) return value;
  const types = typesOf(target);
  const next = typeof value === "string" ? fromString(value, types) : value;

  if (Array.isArray(next) && target.items !== undefined && typeof target.items === "object") {
    return next.map((item) => coerce(item, target.items, root, depth + 1));
  }
  if (isObject(next) && isObject(target.properties)) {
    const properties = target.properties;
    return Object.fromEntries(
      Object.entries(next).map(([key, item]) => [
        key,
        Object.hasOwn(properties, key) ? coerce(item, properties[key], root, depth + 1) : item,
      ]),
    );
  }
  return next;
}

function fromString(value: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes("string")) return value;
  const trimmed = value.trim();
  if (types.includes("integer") && /^[+-]?\d+$/.test(trimmed)) return Number(trimmed);
  if (types.includes("number") && trimmed !== "" && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(trimmed))
    return Number(trimmed);
  if (types.includes("boolean") && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true";
  if (types.includes("array") && trimmed.startsWith("[")) return parsed(trimmed) ?? value;
  if (types.includes("object") && trimmed.startsWith("{")) return parsed(trimmed) ?? value;
  if (types.includes("null") && trimmed === "null") return null;
  return value;
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

function typesOf(schema: Record<string, unknown>): readonly string[] {
  const { type } = schema;
  return typeof type === "string"
    ? [type]
    : Array.isArray(type)
      ? type.filter((name) => typeof name === "string")
      : [];
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
