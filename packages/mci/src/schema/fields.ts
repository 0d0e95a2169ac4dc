import * as z from "zod/mini";

/**
 * Scalars as files write them. Readers have always been lenient here (`"5000"` for a number, `"yes"` for a boolean,
 * null for "not set"), so these fields are too, and hand on one clean type.
 */

const TRUE = ["true", "yes", "on", "1"] as const;
const FALSE = ["false", "no", "off", "0"] as const;

/** A string that may hold placeholders. */
export const text = (description: string) => z.string().check(z.describe(description));

/** A string that must not be empty. */
export const label = (description: string) => z.string().check(z.minLength(1), z.describe(description));

/** A string; numbers and booleans are written out. */
export const scalarText = (description: string) =>
  z
    .pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String))
    .check(z.describe(description));

/** true or false, also in the words YAML 1.1 knew. */
export const flag = (description: string) =>
  z
    .pipe(
      z.union([z.boolean(), z.enum([...TRUE, ...FALSE]), z.literal([0, 1])]),
      z.transform((value) => (typeof value === "boolean" ? value : (TRUE as readonly string[]).includes(String(value)))),
    )
    .check(z.describe(description));

/** A whole number of at least `min`, or a template that gives one. */
export const count = (min: number, description: string) =>
  z
    .pipe(
      z.union([
        z.int().check(z.minimum(min)),
        z.string().check(z.regex(/^\s*\d+\s*$|\{\{|\{!!/, "must be a whole number or a template such as {{env.TIMEOUT}}")),
      ]),
      z.transform((value) => (typeof value === "string" && /^\s*\d+\s*$/.test(value) ? Number(value) : value)),
    )
    .check(z.describe(description));

/** Not given, or null: undefined either way. */
export const optional = <T extends z.core.SomeType>(schema: T) =>
  z.optional(z.pipe(z.nullable(schema), z.transform((value) => value ?? undefined)));

export const list = <T extends z.core.SomeType>(item: T, description: string) =>
  z.array(item).check(z.describe(description));

export const map = <T extends z.core.SomeType>(value: T, description: string) =>
  z.record(z.string(), value).check(z.describe(description));
