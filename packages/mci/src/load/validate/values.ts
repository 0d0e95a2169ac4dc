import type { JsonPath } from "../../template-api.ts";

/** Looking into a document that nobody has checked yet. */

/** The value at a place; undefined where there is none. */
export function valueAt(root: unknown, place: JsonPath): unknown {
  let value = root;
  for (const step of place) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** What a value is, in words. The value itself may be a secret and is not told. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
