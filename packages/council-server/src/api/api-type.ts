import type { z } from "zod";

/** What a schema describes, as a type for those that send and read it: nothing in it is changed. */
export type ApiType<Schema extends z.ZodType> = Immutable<z.output<Schema>>;

/** Schemas let later versions add fields; the type has those of this version. A record has no fields of its own and stays one. */
export type Immutable<T> = T extends readonly (infer Item)[]
  ? readonly Immutable<Item>[]
  : T extends object
    ? [keyof Fields<T>] extends [never]
      ? { readonly [Key in keyof T]: Immutable<T[Key]> }
      : { readonly [Key in keyof Fields<T>]: Immutable<Fields<T>[Key]> }
    : T;

type Fields<T> = { [Key in keyof T as string extends Key ? never : Key]: T[Key] };
