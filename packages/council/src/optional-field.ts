import type { z } from "zod";

/** A field that may be left out: what it means, then what it may be. */
export function optionalField<Schema extends z.ZodType>(
  meaning: string,
  schema: Schema,
): z.ZodOptional<Schema> {
  return schema.optional().describe(meaning);
}
