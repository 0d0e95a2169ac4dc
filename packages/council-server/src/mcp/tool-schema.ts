import { problemsOf } from "@mci-ts/council";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { withoutAliases } from "../api/aliases.ts";
import { withoutNullFields } from "../http/null-fields.ts";
import { unstorableTexts } from "../http/unstorable-text.ts";
import { listedSchema } from "./listed-schema.ts";

/** A schema whose problems are reported as over HTTP. `listed` is what clients see of it. Default: all of it. */
export function inputSchema(schema: z.ZodType, listed: z.ZodType = schema): StandardSchemaWithJSON {
  return standardSchema(listed, "input", (input) => {
    const value = withoutNullFields(schema, withoutAliases(schema, input));
    const { success, data, error } = schema.safeParse(value);
    const unstorable = unstorableTexts(value);
    if (success && unstorable.length === 0) return { value: data };
    const problems = success ? unstorable : [...problemsOf(error, schema, value), ...unstorable];
    return { issues: problems.map(({ message }) => ({ message })) };
  });
}

export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return standardSchema(schema, "output", (schema as StandardSchemaWithJSON)["~standard"].validate);
}

/**
 * Converted to JSON Schema once, and only when it is listed. A server is made for each request, and to convert the schemas of all tools
 * took most of the time of listing them.
 */
function standardSchema(
  schema: z.ZodType,
  io: "input" | "output",
  validate: StandardSchemaWithJSON["~standard"]["validate"],
): StandardSchemaWithJSON {
  let json: Record<string, unknown> | undefined;
  const convert = () => (json ??= listedSchema(schema, io));
  const { version, vendor } = (schema as StandardSchemaWithJSON)["~standard"];
  return { "~standard": { version, vendor, validate, jsonSchema: { input: convert, output: convert } } };
}
