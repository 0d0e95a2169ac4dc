import { isObject } from "@mci-ts/primitives/is-object";
import type { JsonSchema } from "./inline.ts";
import type { Work } from "./work.ts";

/** Why a value does not fit; a function where the text would take long, because the schema's author wrote what is in it. */
export type LazyMessage = string | (() => string);

export const textOf = (message: LazyMessage): string => (typeof message === "string" ? message : message());

export function numberProblem(schema: JsonSchema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  // In draft 4 `exclusiveMinimum: true` makes `minimum` exclusive.
  const above =
    typeof exclusiveMinimum === "number" ? exclusiveMinimum : exclusiveMinimum === true ? minimum : undefined;
  const below =
    typeof exclusiveMaximum === "number" ? exclusiveMaximum : exclusiveMaximum === true ? maximum : undefined;
  if (minimum !== undefined && value < Number(minimum)) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > Number(maximum)) return `must be at most ${maximum}`;
  if (above !== undefined && value <= Number(above)) return `must be above ${above}`;
  if (below !== undefined && value >= Number(below)) return `must be below ${below}`;
  if (multipleOf !== undefined && !isMultiple(value, Number(multipleOf)))
    return `must be a multiple of ${multipleOf}`;
  return undefined;
}

/** 0.3 is a multiple of 0.1, although its binary form is not. */
function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= Number.EPSILON * Math.max(1, Math.abs(quotient)) * 4;
}

export function arrayProblem(schema: JsonSchema, list: readonly unknown[], work: Work): string | undefined {
  const { minItems, maxItems, uniqueItems } = schema;
  if (minItems !== undefined && list.length < Number(minItems)) return `must have at least ${minItems} items`;
  if (maxItems !== undefined && list.length > Number(maxItems)) return `must have at most ${maxItems} items`;
  if (uniqueItems !== true) return undefined;
  work.measure(list);
  return new Set(list.map(keyOf)).size < list.length ? "must not have an item twice" : undefined;
}

export function objectProblem(
  schema: JsonSchema,
  value: Readonly<Record<string, unknown>>,
  work: Work,
): LazyMessage | undefined {
  const { minProperties, maxProperties, required } = schema;
  const isCounted = minProperties !== undefined || maxProperties !== undefined;
  const count = isCounted ? work.keysOf(value).length : 0;
  if (minProperties !== undefined && count < Number(minProperties))
    return `must have at least ${minProperties} properties`;
  if (maxProperties !== undefined && count > Number(maxProperties))
    return `must have at most ${maxProperties} properties`;
  if (Array.isArray(required)) work.spend(required.length / 8);
  const missing = Array.isArray(required)
    ? required.find((name) => !Object.hasOwn(value, String(name)))
    : undefined;
  return missing === undefined
    ? undefined
    : () => `must have the property ${JSON.stringify(missing).slice(0, 100)}`;
}

export function isEqualJson(first: unknown, second: unknown, work: Work): boolean {
  work.spend(1);
  // Long texts that begin alike take long to compare.
  if (typeof first === "string" && typeof second === "string" && first.length === second.length)
    work.spend(first.length / 64);
  if (first === second) return true;
  if (Array.isArray(first) && Array.isArray(second))
    return first.length === second.length && first.every((item, i) => isEqualJson(item, second[i], work));
  if (!isObject(first) || !isObject(second)) return false;
  const keys = work.keysOf(first);
  return (
    keys.length === work.keysOf(second).length &&
    keys.every((key) => Object.hasOwn(second, key) && isEqualJson(first[key], second[key], work))
  );
}

/** Equal for equal JSON. */
function keyOf(value: unknown): string {
  return JSON.stringify(value, (_, one) =>
    isObject(one) ? Object.fromEntries(Object.entries(one).toSorted(([a], [b]) => (a < b ? -1 : 1))) : one,
  );
}
