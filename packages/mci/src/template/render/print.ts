import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { MISSING } from "./scope.ts";

/** A value as text: strings as they are, everything else as JSON. undefined if JSON cannot say it. */
export function print(value: unknown): string | undefined {
  switch (typeof value) {
    case "string":
      return value;
    case "number":
      return Number.isFinite(value) ? String(value) : "null";
    case "boolean":
    case "bigint":
      return String(value);
    default:
      try {
        return stringifyExact(value);
      } catch {
        // A loop of references, or nesting deeper than the stack.
        return undefined;
      }
  }
}

/** The type's name in messages, as JSON calls it. */
export function typeName(value: unknown): string {
  if (value === MISSING) return "nothing";
  if (value === null) return "null";
  if (Array.isArray(value)) return "array";
  return typeof value === "bigint" ? "number" : typeof value;
}
