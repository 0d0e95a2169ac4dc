import { problemsOf } from "@mci-ts/council";
import type { z } from "zod";
import { HttpError } from "./errors.ts";

/** Checks a value against its schema; every problem is reported with its path. */
export function parse<Schema extends z.ZodType>(schema: Schema, value: unknown, root = ""): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const details = problemsOf(parsed.error, schema, value, root);
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  throw new HttpError("invalid_request", `${details[0]?.message}${more}`, { details });
}
