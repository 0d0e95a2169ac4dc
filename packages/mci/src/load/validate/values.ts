import type { JsonPath } from "../../template-api.ts";

/** The value at a path; undefined if it does not exist. */
export function valueAt(root: unknown, place: JsonPath): unknown {
  let value = root;
  for (const step of place) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The type of a value, for messages. The value itself may be a secret and is not shown. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "null";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  return `a ${typeof value}`;
}
