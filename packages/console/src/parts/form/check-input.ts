import { isObject } from "@mci-ts/primitives/is-object";
import { choicesOf, type FormSchema, isNullable, resolveSchema, variantsOf } from "./json-schema.ts";
import { matchesPattern } from "./pattern.ts";

/** Where an input breaks its schema: messages by the path of the field, `/home/city`. "" is the input itself. */
export type InputErrors = ReadonlyMap<string, string>;

/** Values that are looked at; a larger input is left to the server. */
const MAX_VALUES = 10_000;
export const MISSING = "This is required.";

/** Which of several shapes a person chose for a value, by its path. */
export type ChosenShapes = ReadonlyMap<string, number>;

export const NONE_CHOSEN: ChosenShapes = new Map();

/**
 * Checks what a form can say about a field. The server, which checks everything again, knows the rest of JSON Schema. A value that
 * nobody chose a shape for is checked by the one that it fits best.
 */
export function checkInput(schema: FormSchema, value: unknown, chosen = NONE_CHOSEN): InputErrors {
  const errors = new Map<string, string>();
  check({ schema, value, path: "" }, { root: schema, errors, chosen, budget: { left: MAX_VALUES } });
  return errors;
}

/** The alternative that a value fits best: the one with the fewest errors, the first of equals. */
export function closestVariant(
  variants: readonly FormSchema[],
  value: unknown,
  root: FormSchema,
  budget = { left: MAX_VALUES },
): number {
  if (value === undefined) return 0;
  const counts = variants.map((schema) => {
    const errors = new Map<string, string>();
    check({ schema, value, path: "" }, { root, errors, chosen: NONE_CHOSEN, budget });
    // A value of another type, or of another kind (`const`), is further away than any number of missing fields.
    const isOther = [...errors].some(([path, text]) => path === "" || /^This must be "/.test(text));
    return errors.size + (isOther ? 1000 : 0);
  });
  return counts.indexOf(Math.min(...counts));
}

interface CheckedValue {
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly path: string;
}

interface Checking {
  readonly root: FormSchema;
  readonly errors: Map<string, string>;
  readonly chosen: ChosenShapes;
  /** Shared by all that is tried, so that alternatives of alternatives end. */
  readonly budget: { left: number };
}

function check({ schema: written, value, path }: CheckedValue, checking: Checking): void {
  if (value === undefined || checking.budget.left-- <= 0) return;
  const schema = resolveSchema(written, checking.root);
  if (value === null && isNullable(schema)) return;
  const variants = choicesOf(schema) ? undefined : variantsOf(schema);
  if (variants) {
    const shape =
      variants[checking.chosen.get(path) ?? -1] ??
      variants[closestVariant(variants, value, checking.root, checking.budget)]!;
    check({ schema: shape, value, path }, checking);
    return;
  }
  const message = messageOf(schema, value);
  if (message !== undefined) checking.errors.set(path, message);
  else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) checkItem(schema, item, `${path}/${index}`, checking);
  } else if (isObject(value)) checkProperties(schema, value, path, checking);
}

function checkItem({ items }: FormSchema, value: unknown, path: string, checking: Checking): void {
  if (value === undefined) checking.errors.set(path, MISSING);
  else if (isObject(items)) check({ schema: items, value, path }, checking);
}

function checkProperties(
  { properties = {}, required = [], additionalProperties }: FormSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  checking: Checking,
): void {
  for (const name of required)
    if (!Object.hasOwn(value, name) || value[name] === undefined)
      checking.errors.set(`${path}/${name}`, MISSING);
  for (const [name, each] of Object.entries(value)) {
    const place = `${path}/${name}`;
    if (Object.hasOwn(properties, name))
      check({ schema: properties[name]!, value: each, path: place }, checking);
    else if (isObject(additionalProperties))
      check({ schema: additionalProperties, value: each, path: place }, checking);
    else if (additionalProperties === false) checking.errors.set(place, "There is no such field.");
  }
}

function messageOf(schema: FormSchema, value: unknown): string | undefined {
  if (schema.const !== undefined && !isEqual(schema.const, value))
    return `This must be ${JSON.stringify(schema.const)}.`;
  const choices = choicesOf(schema);
  if (choices && !choices.some((each) => isEqual(each.value, value)))
    return "This must be one of the choices.";
  const types = [schema.type ?? []].flat();
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `This must be ${types.map((type) => ARTICLES[type] ?? type).join(" or ")}.`;
  if (typeof value === "number") return numberMessage(schema, value);
  if (typeof value === "string") return textMessage(schema, value);
  if (!Array.isArray(value)) return undefined;
  if (schema.uniqueItems && new Set(value.map((each) => JSON.stringify(each))).size < value.length)
    return "No item may occur twice.";
  return sizeMessage(schema.minItems, schema.maxItems, value.length, "items");
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function numberMessage(schema: FormSchema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    return "This is too large to be sent exactly from a page: use mci call.";
  if (typeof minimum === "number" && value < minimum) return `This must be at least ${minimum}.`;
  if (typeof maximum === "number" && value > maximum) return `This must be at most ${maximum}.`;
  if (typeof exclusiveMinimum === "number" && value <= exclusiveMinimum)
    return `This must be more than ${exclusiveMinimum}.`;
  if (typeof exclusiveMaximum === "number" && value >= exclusiveMaximum)
    return `This must be less than ${exclusiveMaximum}.`;
  if (typeof multipleOf === "number" && Number.isInteger(multipleOf) && value % multipleOf !== 0)
    return `This must be a multiple of ${multipleOf}.`;
  return undefined;
}

function textMessage({ minLength, maxLength, pattern }: FormSchema, value: string): string | undefined {
  const size = sizeMessage(minLength, maxLength, [...value].length, "characters");
  if (size !== undefined || typeof pattern !== "string") return size;
  return matchesPattern(pattern, value) === false ? `This must match ${pattern}` : undefined;
}

function sizeMessage(least: unknown, most: unknown, size: number, unit: string): string | undefined {
  if (typeof least === "number" && size < least) return `This must have at least ${least} ${unit}.`;
  if (typeof most === "number" && size > most) return `This must have at most ${most} ${unit}.`;
  return undefined;
}

/** Types that are not known are the server's business. */
function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isInteger(value);
    case "array":
      return Array.isArray(value);
    case "object":
      return isObject(value);
    case "null":
      return value === null;
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      return true;
  }
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
