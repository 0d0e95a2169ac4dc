import { isObject } from "@mci-ts/primitives/is-object";

/**
 * What one application of a schema may cost, without the schemas for parts of the value: itself, the schemas it applies to the
 * same value, the errors it may give, the values it compares with, the defaults it fills in. One step is about a fifth of
 * a microsecond.
 */
export function schemaWeight(schema: Readonly<Record<string, unknown>>): number {
  const lists = [schema.allOf, schema.anyOf, schema.oneOf, schema.required];
  const listed = lists.reduce<number>((sum, list) => sum + (Array.isArray(list) ? list.length : 0), 1);
  return listed + comparisonWeight(schema.enum) + defaultsWeight(schema);
}

/** The largest weight among a schema and all schemas in it. Data that looks like a schema is counted, too. */
export function largestWeight(schema: unknown): number {
  let largest = 0;
  const pending: unknown[] = [schema];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) largest = Math.max(largest, schemaWeight(next as Record<string, unknown>));
    for (const item of Object.values(next)) pending.push(item);
  }
  return largest;
}

/** A value may be compared with all of `enum`. A word takes a few nanoseconds, an object much longer. */
function comparisonWeight(values: unknown): number {
  if (!Array.isArray(values)) return 0;
  return values.reduce<number>((sum, value) => {
    if (typeof value === "object" && value !== null) return sum + countValues(value) / 2;
    return sum + (1 + (typeof value === "string" ? value.length / 64 : 0)) / 64;
  }, 0);
}

/** Each application may fill in all defaults of its properties, or items, as new values. */
function defaultsWeight({ properties, prefixItems, items }: Readonly<Record<string, unknown>>): number {
  const parts = [
    ...(isObject(properties) ? Object.values(properties) : []),
    ...(Array.isArray(prefixItems) ? prefixItems : []),
    ...(Array.isArray(items) ? items : []),
  ];
  return parts.reduce<number>(
    (sum, part) => sum + (isObject(part) && "default" in part ? countValues(part.default) / 2 : 0),
    0,
  );
}

/** The values in a value, at most `limit`. */
export function countValues(value: unknown, limit = Number.POSITIVE_INFINITY): number {
  const pending: unknown[] = [value];
  let count = 0;
  while (pending.length > 0 && count < limit) {
    const next = pending.pop();
    count += 1;
    if (typeof next === "object" && next !== null) for (const item of Object.values(next)) pending.push(item);
  }
  return count;
}
