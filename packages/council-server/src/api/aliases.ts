import { isObject } from "@mci-ts/primitives/is-object";
import { z } from "zod";

/** Other names that the fields of a schema are known by: `{ query: "prompt" }`. */
export const aliases = z.registry<Readonly<Record<string, string>>>();

/** The value with every field under its own name. A field that is given under two names keeps both, and the schema refuses one. */
export function withoutAliases(schema: z.ZodType, value: unknown): unknown {
  const names = aliases.get(schema);
  if (names === undefined || !isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      const name = Object.hasOwn(names, key) ? names[key]! : key;
      return [Object.hasOwn(value, name) ? key : name, item];
    }),
  );
}
