import { z } from "zod";
import { inlineSchema, type JsonSchema, SchemaError } from "./inline.ts";
import { createAnswerValidator } from "./validate.ts";
import { votedPart, voteKey } from "./vote-key.ts";

/** An object as an answer. */
export type AnswerObject = Readonly<Record<string, unknown>>;

/** A caller's schema of the answer, ready for use. */
export interface CompiledAnswerSchema {
  /** What models are given: no references, no annotations of ours. */
  readonly jsonSchema: JsonSchema;
  /** Accepts what fits, as it was written. */
  readonly zod: z.ZodType<AnswerObject>;
  /** Equal for objects that are one vote. */
  readonly key: (answer: AnswerObject) => string;
  /** What is counted, with sorted keys: the object without the fields marked `x-vote: false`. */
  readonly label: (answer: AnswerObject) => string;
}

/** Throws `SchemaError` for a schema that cannot be checked in bounded time, or says nothing about an object. */
export function compileAnswerSchema(schema: unknown): CompiledAnswerSchema {
  const annotated = inlineSchema(schema);
  if (annotated["type"] !== "object") throw new SchemaError('needs "type": "object" at its root');
  const fields = Object.values((annotated["properties"] ?? {}) as Record<string, JsonSchema>);
  if (fields.length > 0 && fields.every((field) => field["x-vote"] === false))
    throw new SchemaError("leaves nothing to vote on: every property is marked x-vote: false");
  const jsonSchema = withoutKeywords(annotated, ["x-vote"]);
  return {
    jsonSchema,
    zod: validatorOf(jsonSchema),
    key: (answer) => voteKey(annotated, answer),
    label: (answer) => JSON.stringify(votedPart([annotated], answer)),
  };
}

function validatorOf(jsonSchema: JsonSchema): z.ZodType<AnswerObject> {
  const validate = createAnswerValidator(jsonSchema);
  return z.unknown().superRefine((value, context) => {
    const problem = validate(value);
    if (problem) context.addIssue({ code: "custom", ...problem, path: [...problem.path] });
  }) as z.ZodType as z.ZodType<AnswerObject>;
}

/** Below `properties`, keys are names that the schema's author chose. */
function withoutKeywords(schema: JsonSchema, keywords: readonly string[], isNames = false): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => isNames || !keywords.includes(key))
      .map(([key, value]) => [key, strip(value, !isNames && key === "properties", isNames, key)]),
  );

  function strip(value: unknown, names: boolean, isSchema: boolean, key: string): unknown {
    // The values of these are data, not schemas.
    if (!isSchema && (key === "enum" || key === "const" || key === "examples")) return value;
    if (Array.isArray(value)) return value.map((item) => strip(item, false, true, key));
    if (typeof value !== "object" || value === null) return value;
    return withoutKeywords(value as JsonSchema, keywords, names);
  }
}
