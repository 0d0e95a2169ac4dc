import { problemsOf } from "@mci-ts/council";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";

/** The same schema; an invalid value is reported as over HTTP. */
export function inSentences(schema: z.ZodType): StandardSchemaWithJSON {
  return {
    "~standard": {
      ...(schema as StandardSchemaWithJSON)["~standard"],
      validate(value) {
        const { success, data, error } = schema.safeParse(value);
        if (success) return { value: data };
        return { issues: problemsOf(error, schema, value).map(({ message }) => ({ message })) };
      },
    },
  };
}
