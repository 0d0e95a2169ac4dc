import { isObject } from "@mci-ts/primitives/is-object";
import { ExpressionReference } from "./ast.ts";
import { CHARS_PER_STEP } from "./compare.ts";

export type Type =
  | "any"
  | "number"
  | "string"
  | "boolean"
  | "array"
  | "object"
  | "null"
  | "expression"
  | "number[]"
  | "string[]";

/** The engine keeps an object with more keys as a hash table, and listing it takes longer. */
const MAX_FAST_KEYS = 1000;
const STEPS_PER_SLOW_KEY = 16;

export function sizeOf(value: unknown): number {
  if (typeof value === "string") return 1 + value.length / CHARS_PER_STEP;
  if (Array.isArray(value)) return 1 + value.length;
  if (!isObject(value) || value instanceof ExpressionReference) return 1;
  const keys = Object.keys(value).length;
  return 1 + (keys > MAX_FAST_KEYS ? keys * STEPS_PER_SLOW_KEY : keys);
}

export function hasType(value: unknown, type: Type): boolean {
  if (type === "any") return true;
  if (type === "number[]" || type === "string[]")
    return Array.isArray(value) && value.every((item) => `${typeof item}[]` === type);
  return typeOf(value) === type;
}

export function typeOf(value: unknown): Type {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "array";
  if (value instanceof ExpressionReference) return "expression";
  return typeof value as Type;
}
