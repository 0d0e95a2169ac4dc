import { roundIntegers } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";

/**
 * The default of a property with long integers, which are bigint. Beside `default`, where they are rounded, because
 * schemas are handed out and must stay JSON. A symbol goes along with copies, and no one else sees it.
 */
const EXACT_DEFAULT = Symbol("exact default");

/** The default of a property, for its schema. */
export function defaultOf(exact: unknown): Record<string | symbol, unknown> {
  const holder = { default: structuredClone(exact) };
  roundIntegers(holder);
  return { ...holder, [EXACT_DEFAULT]: exact };
}

/** A property's default, with its long integers. A copy. */
export function exactDefaultOf(property: Readonly<Record<string | symbol, unknown>>): unknown {
  return structuredClone(EXACT_DEFAULT in property ? property[EXACT_DEFAULT] : property.default);
}

/** Writes the defaults with long integers into an input that does not have these properties. */
export function exactDefaults(schema: unknown): (input: Record<string, unknown>) => void {
  const defaults = [...defaultsIn(schema, [])];
  return (input) => {
    for (const { path, name, value } of defaults) {
      const holder = path.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), input);
      if (isObject(holder) && !Object.hasOwn(holder, name)) holder[name] = structuredClone(value);
    }
  };
}

interface ExactDefault {
  readonly path: readonly string[];
  readonly name: string;
  readonly value: unknown;
}

function* defaultsIn(schema: unknown, path: readonly string[]): Generator<ExactDefault> {
  if (!isObject(schema) || !isObject(schema.properties) || path.length > MAX_DEPTH) return;
  for (const [name, property] of Object.entries(schema.properties)) {
    const value = isObject(property) ? (property as Record<symbol, unknown>)[EXACT_DEFAULT] : undefined;
    if (hasLongInteger(value)) yield { path, name, value };
    yield* defaultsIn(property, [...path, name]);
  }
}

/** Deeper defaults are filled in rounded. */
const MAX_DEPTH = 20;

function hasLongInteger(value: unknown): boolean {
  if (typeof value === "bigint") return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasLongInteger);
}
