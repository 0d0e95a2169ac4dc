import { z } from "zod";
import type { ApiType } from "./api-type.ts";

/** One model call of a run, whole. */
export const RunCall = z
  .strictObject({
    call: z.int(),
    purpose: z.string(),
    model: z.string().describe("As it was asked for."),
    responding_model: z.string().nullable().describe("As the provider names it."),
    temperature: z.number().nullable().describe("null: the agent's own request was sent as it is."),
    max_output_tokens: z.int(),
    messages: z
      .array(z.strictObject({ role: z.string(), content: z.string() }))
      .describe("The prompt as it was sent."),
    answer_schema: z.string().optional().describe("The JSON Schema that the answer must have."),
    tools: z.array(z.string()).optional().describe("What the model was offered to call."),
    sent: z
      .record(z.string(), z.unknown())
      .optional()
      .describe("Which settings the endpoint really got: models refuse some."),
    reply: z.string().nullable().describe("As the model wrote it; null: none came."),
    reasoning: z.string().nullable().describe("Where the provider returns it apart from the reply."),
    tool_calls: z.array(z.strictObject({ name: z.string(), input: z.string() })).optional(),
    finish_reason: z.string().nullable(),
    input_tokens: z.int().nullable(),
    output_tokens: z.int().nullable(),
    reasoning_tokens: z.int().nullable(),
    cached_tokens: z.int().nullable(),
    cost_usd: z.number().nullable(),
    latency_ms: z.number().nullable(),
    attempts: z.int(),
    error: z.string().nullable(),
    cut_chars: z.int().describe("Characters that the history does not have: MCI_STORE_REPLIES limits it."),
    red_flag: z
      .strictObject({ rule: z.string(), reason: z.string() })
      .nullable()
      .describe("Why the reply was discarded."),
  })
  .meta({ id: "RunCall" });
export type RunCall = ApiType<typeof RunCall>;

export const RunCalls = z.strictObject({ calls: z.array(RunCall) }).meta({ id: "RunCalls" });
export type RunCalls = ApiType<typeof RunCalls>;
