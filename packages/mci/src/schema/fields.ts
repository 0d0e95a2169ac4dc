import * as z from "zod/mini";

/**
 * Scalars as files contain them. Readers have always been lenient here (`"5000"` for a number, `"yes"` for a boolean,
 * null for "not set"), so these fields are too, and hand on one clean type.
 *
 * Where a field has an `error`, it is the end of a sentence that begins with "Must be …".
 */

/** Documentation of a schema in the published JSON Schema. An `id` makes it a named definition there. */
export interface About {
  id?: string;
  title?: string;
  description?: string;
  examples?: unknown[];
}

/** Separate from the schemas, so that descriptions cost nothing during validation. */
export const about = z.registry<About>();

const YES = ["true", "yes", "on", "y", "t"];
const NO = ["false", "no", "off", "n", "f"];
const spellings = (words: readonly string[]) =>
  words.flatMap((word) => [...new Set([word, word[0]!.toUpperCase() + word.slice(1), word.toUpperCase()])]);
const TRUE: ReadonlySet<unknown> = new Set([...spellings(YES), "1", 1, true]);
const FLAG_WORDS = [...spellings(YES), "1", ...spellings(NO), "0"];

/** Whether a flag as written in a file means yes. */
export const isTrue = (value: unknown): boolean => TRUE.has(value);

/** A string that may hold placeholders. */
export const text = (description: string) => z.string().register(about, { description });

const nonEmpty = z.regex(/\S/, "a non-empty string");

/** A string that must not be empty. */
export const label = (description: string) => z.string().check(nonEmpty).register(about, { description });

const scalar = z
  .union([z.string(), z.number(), z.boolean()], { error: "a string" })
  .register(about, { id: "scalar", description: "Text; a number or a boolean is written out." });

const asString = z.transform(String);

/** A string; numbers and booleans are written out. */
export const scalarText = (description: string) => z.pipe(scalar, asString).register(about, { description });

const flagWord = z
  .union([z.boolean(), z.enum(FLAG_WORDS), z.literal([0, 1])], { error: "true or false" })
  .register(about, {
    id: "flag",
    description: "true or false; the YAML 1.1 words (yes, no, on, off) are accepted.",
  });

/** A whole number of at least `min` (0 or 1), or a template that gives one. */
export const count = (min: 0 | 1, description: string) => {
  const digits = min === 0 ? /^\s*\d+\s*$/ : /^\s*0*[1-9]\d*\s*$/;
  const error = `a whole number of at least ${min}, or a template such as {{env.LIMIT}}`;
  return z
    .pipe(
      z.union(
        [
          z.int({ error }).check(z.minimum(min, { error })),
          z.string().check(z.regex(new RegExp(`${digits.source}|\\{\\{|\\{!!`), { error })),
        ],
        { error },
      ),
      z.transform((value) => (typeof value === "string" && digits.test(value) ? Number(value) : value)),
    )
    .register(about, { description });
};

const limitError = "a whole number of at least 1";

/** How many at the most. */
export const limit = (description: string) =>
  z
    .int({ error: limitError })
    .check(z.minimum(1, { error: limitError }))
    .register(about, { description });

/** One of a few words. `aliases` are other spellings of them. */
export const choice = <const Word extends string>(
  words: readonly Word[],
  description: string,
  aliases: Readonly<Record<string, Word>> = {},
) =>
  z
    .pipe(
      z.enum<readonly string[]>([...words, ...Object.keys(aliases)]),
      z.transform((word: string): Word => (Object.hasOwn(aliases, word) ? aliases[word]! : (word as Word))),
    )
    .register(about, { description });

const nullAsUndefined = z.transform((value: unknown) => value ?? undefined);

type NullAsUndefined<Value> = z.ZodMiniTransform<Exclude<Value, null> | undefined, Value | null>;

const nullable = <T extends z.core.SomeType>(schema: T) =>
  z.pipe(z.nullable(schema), nullAsUndefined as NullAsUndefined<z.output<T>>);

/** Not given, or null: undefined either way. */
export const optional = <T extends z.core.SomeType>(schema: T) => z.optional(nullable(schema));

/** Optional fields of one kind share all but their outermost schema: building schemas is most of the time to import the library. */
const optionalKind = <T extends z.core.SomeType>(schema: T) => {
  const inner = nullable(schema);
  return (description: string) => {
    const field = z.optional(inner);
    about.add(field, { description });
    return field;
  };
};

/** A string that may hold placeholders. */
export const optionalText = optionalKind(z.string());

/** A string that must not be empty. */
export const optionalLabel = optionalKind(z.string().check(nonEmpty));

/** A string; numbers and booleans are written out. */
export const optionalScalarText = optionalKind(z.pipe(scalar, asString));

/** true or false, also in the words of YAML 1.1. */
export const optionalFlag = optionalKind(
  z.pipe(
    flagWord,
    z.transform((word: z.output<typeof flagWord>): boolean => isTrue(word)),
  ),
);

export const list = <T extends z.core.SomeType>(item: T, description: string) =>
  z.array(item).register(about, { description });

/** The variables that templates may read; `of` says whose. */
export const envAllowList = (of: string) =>
  optional(list(z.string(), `Names of the variables that templates of ${of} may read. Default: all.`));

const name = z.string();

export const map = <T extends z.core.SomeType>(value: T, description: string) =>
  z.record(name, value).register(about, { description });

/**
 * A part that few files have: its schema is built when a file has it. To build all schemas took a tenth of the time to list
 * the tools of a small file.
 */
export const lazily = <T extends z.core.SomeType>(build: () => T) => {
  let built: T | undefined;
  const schema = z.lazy(() => (built ??= build()));
  // Else zod would build it for every file, to learn whether it has a default. None has.
  schema._zod.optin = undefined;
  return schema;
};

/** What was checked is not changed afterwards. */
export type DeepReadonly<T> = T extends (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T;
