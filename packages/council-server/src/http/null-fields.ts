import { isObject } from "@mci-ts/primitives/is-object";
import { z } from "zod";

/** The value without optional fields that are null: generated clients send null for what they do not set. */
export function withoutNullFields(schema: z.ZodType, value: unknown): unknown {
  const object = objectSchemaOf(schema);
  if (object === undefined || !isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, item]): [string, unknown][] => {
    const field = Object.hasOwn(object.shape, name) ? (object.shape[name] as z.ZodType) : undefined;
    if (field === undefined) return [[name, item]];
    if (item === null && field.safeParse(undefined).success && !field.safeParse(null).success) return [];
    return [[name, withoutNullFields(field, item)]];
  });
  return Object.fromEntries(kept);
}

function objectSchemaOf(schema: z.ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return objectSchemaOf(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodObject ? schema : undefined;
}
