import { stringifyExact } from "../../json/exact-json.ts";

/** Schemas that are nested deeper cannot be used, and would overflow the stack. */
const MAX_DEPTH = 400;

/** JSON with sorted keys: the same data always gives the same text. */
export function canonicalJson(value: unknown): string {
  return stringifyExact(sorted(value, 0)) ?? "null";
}

function sorted(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth > MAX_DEPTH) return "nested too deeply";
  if (Array.isArray(value)) return value.map((item) => sorted(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item, depth + 1)]),
  );
}
