import { problemsOf } from "@mci-ts/council";
import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import type { z } from "zod";
import { withoutNullFields } from "../http/null-fields.ts";
import { unstorableTexts } from "../http/unstorable-text.ts";

/** The same schema; an invalid value is reported as over HTTP. */
export function inputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  return {
    "~standard": {
      ...outputSchema(schema)["~standard"],
      validate(given) {
        const value = withoutNullFields(schema, given);
        const { success, data, error } = schema.safeParse(value);
        const unstorable = unstorableTexts(value);
        if (success && unstorable.length === 0) return { value: data };
        const problems = success ? unstorable : [...problemsOf(error, schema, value), ...unstorable];
        return { issues: problems.map(({ message }) => ({ message })) };
      },
    },
  };
}

/**
 * The same schema, converted to JSON Schema once. A server is made for each request, and to convert the schemas of all tools took
 * most of the time of listing them.
 */
export function outputSchema(schema: z.ZodType): StandardSchemaWithJSON {
  const standard = (schema as StandardSchemaWithJSON)["~standard"];
  const { input, output } = standard.jsonSchema;
  return { "~standard": { ...standard, jsonSchema: { input: onceFor(input), output: onceFor(output) } } };
}

type Converter = StandardSchemaWithJSON["~standard"]["jsonSchema"]["input"];

function onceFor(convert: Converter): Converter {
  const converted = new Map<string, ReturnType<Converter>>();
  return (options) => {
    const target = String(options.target);
    const known = converted.get(target) ?? convert(options);
    converted.set(target, known);
    return known;
  };
}
