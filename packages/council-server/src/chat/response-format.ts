import { compileAnswerSchema } from "@mci-ts/council";
import { z } from "zod";
import type { OutputFormat } from "../runs/response/format-result.ts";
import { ServiceError } from "../service-error.ts";

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

type Format = z.output<typeof ResponseFormat> | null | undefined;

/** The schema that the answer is voted on in; undefined where none is given. */
export function answerSchema(format: Format): Readonly<Record<string, unknown>> | undefined {
  if (format?.type !== "json_schema") return undefined;
  const { schema } = format.json_schema;
  compile(schema);
  return schema;
}

/** The form that a decided answer is put into by one more call; undefined for text. */
export function outputFormat(format: Format): OutputFormat | undefined {
  if (!format || format.type === "text") return undefined;
  if (format.type === "json_object")
    return {
      name: "answer",
      jsonSchema: { type: "object", additionalProperties: true },
      check: checker(z.record(z.string(), z.unknown())),
    };
  const { jsonSchema, zod } = compile(format.json_schema.schema);
  return { name: format.json_schema.name, jsonSchema, check: checker(zod) };
}

function compile(schema: unknown) {
  try {
    return compileAnswerSchema(schema);
  } catch (error) {
    throw unusable((error as Error).message);
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

function unusable(problem: string): ServiceError {
  const path = "response_format.json_schema.schema";
  const message = `${path} ${problem}`;
  return new ServiceError("invalid_request", message, { details: [{ path, message }] });
}

export function twoSchemas(): ServiceError {
  const path = "config.answer_schema";
  const message = `${path} and response_format both give a schema; leave one out`;
  return new ServiceError("invalid_request", message, { details: [{ path, message }] });
}
