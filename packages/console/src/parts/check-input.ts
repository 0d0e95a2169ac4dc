import { isObject } from "@mci-ts/primitives/is-object";
import { type FormSchema, resolveRef } from "./json-schema.ts";

/** Where an input breaks its schema: messages by the path of the field, `/home/city`. "" is the input itself. */
export type InputErrors = ReadonlyMap<string, string>;

/** Values that are looked at; a larger input is left to the server. */
const MAX_VALUES = 10_000;
export const MISSING = "This is required.";

/**
 * Checks what a form can say about a field. The rest of JSON Schema (patterns, combinations) is for the server, which checks
 * everything again: a pattern may be a stranger's, and could keep the page busy.
 */
export function checkInput(schema: FormSchema, value: unknown): InputErrors {
  const errors = new Map<string, string>();
  check({ schema, value, path: "" }, { root: schema, errors, left: MAX_VALUES });
  return errors;
}

interface CheckedValue {
  readonly schema: FormSchema;
  readonly value: unknown;
  readonly path: string;
}

interface Checking {
  readonly root: FormSchema;
  readonly errors: Map<string, string>;
  left: number;
}

function check({ schema: written, value, path }: CheckedValue, checking: Checking): void {
  if (value === undefined || checking.left-- <= 0) return;
  const schema = resolveRef(written, checking.root);
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
  { properties = {}, required = [] }: FormSchema,
  value: Readonly<Record<string, unknown>>,
  path: string,
  checking: Checking,
): void {
  for (const name of required)
    if (!Object.hasOwn(value, name) || value[name] === undefined)
      checking.errors.set(`${path}/${name}`, MISSING);
  for (const [name, schema] of Object.entries(properties))
    if (Object.hasOwn(value, name)) check({ schema, value: value[name], path: `${path}/${name}` }, checking);
}

function messageOf(schema: FormSchema, value: unknown): string | undefined {
  if (schema.const !== undefined && !isEqual(schema.const, value))
    return `This must be ${JSON.stringify(schema.const)}.`;
  if (Array.isArray(schema.enum) && !schema.enum.some((each) => isEqual(each, value)))
    return "This must be one of the choices.";
  const types = [schema.type ?? []].flat();
  if (value === null && schema.nullable === true) return undefined;
  if (types.length > 0 && !types.some((type) => isOfType(type, value)))
    return `This must be ${types.map((type) => ARTICLES[type] ?? type).join(" or ")}.`;
  if (typeof value === "number") return numberMessage(schema, value);
  if (typeof value === "string")
    return sizeMessage(schema.minLength, schema.maxLength, [...value].length, "characters");
  if (Array.isArray(value)) return sizeMessage(schema.minItems, schema.maxItems, value.length, "items");
  return undefined;
}

const ARTICLES: Readonly<Record<string, string>> = {
  string: "text",
  number: "a number",
  integer: "an integer",
  boolean: "true or false",
  object: "an object",
  array: "a list",
};

function numberMessage({ minimum, maximum }: FormSchema, value: number): string | undefined {
  if (typeof minimum === "number" && value < minimum) return `This must be at least ${minimum}.`;
  if (typeof maximum === "number" && value > maximum) return `This must be at most ${maximum}.`;
  return undefined;
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
