import { z } from "zod";
import { HttpError } from "../http/errors.ts";
import type { OutputFormat } from "../runs/format-result.ts";

/** `response_format` of the chat protocol. */
export const ResponseFormat = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("text") }),
  z.looseObject({ type: z.literal("json_object") }),
  z.looseObject({
    type: z.literal("json_schema"),
    json_schema: z.looseObject({
      name: z.string().min(1).max(64),
      schema: z.record(z.string(), z.unknown()),
    }),
  }),
]);

const MAX_SCHEMA_CHARS = 64 * 1024;
const ANY_OBJECT = { type: "object", additionalProperties: true };

/** The form that the answer must have; undefined for text. */
export function outputFormat(
  format: z.output<typeof ResponseFormat> | null | undefined,
): OutputFormat | undefined {
  if (!format || format.type === "text") return undefined;
  if (format.type === "json_object") {
    return { name: "answer", jsonSchema: ANY_OBJECT, check: checker(z.record(z.string(), z.unknown())) };
  }
  const { name, schema } = format.json_schema;
  if (JSON.stringify(schema).length > MAX_SCHEMA_CHARS)
    throw unusable(`is longer than ${MAX_SCHEMA_CHARS} characters`);
  try {
    const check = checker(
      z.fromJSONSchema(withoutPatterns(schema) as Parameters<typeof z.fromJSONSchema>[0]),
    );
    return { name, jsonSchema: schema, check };
  } catch (error) {
    throw unusable(`cannot be used: ${(error as Error).message}`);
  }
}

function checker(schema: z.ZodType): OutputFormat["check"] {
  return (value) => {
    const { error } = schema.safeParse(value);
    return error?.issues
      .map(({ path, message }) => `${path.join(".") || "the object"}: ${message}`)
      .join("; ");
  };
}

/** A caller's patterns are sent to the provider but not executed here: they could take unbounded time. */
function withoutPatterns(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutPatterns);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(
        ([key, inner]) => !(key === "pattern" && typeof inner === "string") && key !== "patternProperties",
      )
      .map(([key, inner]) => [key, withoutPatterns(inner)]),
  );
}

function unusable(problem: string): HttpError {
  const path = "response_format.json_schema.schema";
  const message = `${path} ${problem}`;
  return new HttpError("invalid_request", message, { details: [{ path, message }] });
}
