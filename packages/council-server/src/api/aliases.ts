import { isObject } from "@mci-ts/primitives/is-object";
import { z } from "zod";

/** Other names that the fields of a schema are known by: `{ query: "prompt" }`. */
export const aliases = z.registry<Readonly<Record<string, string>>>();

/** Two names in the value that mean one field; undefined: there are none. */
export function namedTwice(schema: z.ZodType, value: unknown): readonly [string, string] | undefined {
  const names = aliases.get(schema);
  if (names === undefined || !isObject(value)) return undefined;
  return Object.entries(names).find((pair) => pair.every((name) => Object.hasOwn(value, name)));
}

/** The value with every field under its own name. A field under two names keeps both, and the schema refuses one. */
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
