import { problemsOf } from "@mci-ts/council";
import type { z } from "zod";
import { namedTwice, withoutAliases } from "../api/aliases.ts";
import { ServiceError } from "../service-error.ts";
import { withoutNullFields } from "./null-fields.ts";
import { unstorableTexts } from "./unstorable-text.ts";

/** Checks a value against its schema; every problem is reported with its path. */
export function parse<Schema extends z.ZodType>(schema: Schema, input: unknown, root = ""): z.output<Schema> {
  const twice = namedTwice(schema, input);
  if (twice !== undefined)
    throw new ServiceError(
      "invalid_request",
      `${twice.join(" and ")} are two names of one field: send one of them`,
      {
        details: twice.map((path) => ({ path, message: "is one of two names of the same field" })),
      },
    );
  const value = withoutNullFields(schema, withoutAliases(schema, input));
  const unstorable = unstorableTexts(value, root);
  const parsed = schema.safeParse(value);
  if (parsed.success && unstorable.length === 0) return parsed.data;
  const details = [...(parsed.success ? [] : problemsOf(parsed.error, schema, value, root)), ...unstorable];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  throw new ServiceError("invalid_request", `${details[0]?.message}${more}`, { details });
}
