import type { ReactNode } from "react";
import type { FormSchema } from "./json-schema.ts";

/** What each kind of field gets. `undefined` as a value means "not given". */
export interface FieldProps {
  readonly name: string;
  /** The path of the value in the input: `/home/city`. */
  readonly path: string;
  /** Without references. */
  readonly schema: FormSchema;
  readonly root: FormSchema;
  readonly value: unknown;
  readonly required: boolean;
  /** Whether it is there because it was added or chosen, so that no mark has to ask for it. Default false. */
  readonly isEntry?: boolean;
  readonly onChange: (value: unknown) => void;
  readonly depth: number;
  /** For the element that takes the input. */
  readonly control: {
    readonly id: string;
    readonly "aria-invalid": boolean | undefined;
    readonly "aria-describedby": string | undefined;
  };
}

/** A field inside another one. */
export type NestedField = Omit<FieldProps, "control" | "depth"> & { readonly depth?: number };

/** What a field of fields gets besides: how one of them is drawn. */
export interface GroupProps extends FieldProps {
  readonly renderField: RenderField;
}

export type RenderField = (props: NestedField) => ReactNode;

export function withField(
  value: Readonly<Record<string, unknown>>,
  name: string,
  next: unknown,
): Record<string, unknown> {
  const { [name]: _, ...rest } = value;
  if (next === undefined) return rest;
  // A field keeps its place, so that a JSON text does not jump about while a form is filled in.
  return Object.hasOwn(value, name) ? { ...value, [name]: next } : { ...rest, [name]: next };
}

export const labelOf = ({ name, schema }: Pick<FieldProps, "name" | "schema">) => schema.title ?? name;
