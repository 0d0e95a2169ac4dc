import { SIMULATED_NOTE } from "@mci-ts/council";
import { z } from "zod";
import { type ErrorBody, Metadata, type ModelResponse } from "../api/api-schemas.ts";
import { statusOf } from "../http/errors.ts";
import type { ServerEvent } from "../http/sse.ts";
import type { LiveRun, RunResponse } from "../runs/live/live-run.ts";
import { describeEvent } from "../runs/response/describe-event.ts";
import type { ServiceError } from "../service-error.ts";
import { type AnswerLimits, limitAnswer } from "./sampling-parameters.ts";

const Usage = z.strictObject({ prompt_tokens: z.int(), completion_tokens: z.int(), total_tokens: z.int() });

export const ChatCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    created: z.int(),
    model: z.string(),
    choices: z.array(
      z.looseObject({
        index: z.literal(0),
        message: z.looseObject({ role: z.literal("assistant"), content: z.string() }),
        finish_reason: z.enum(["stop", "length"]),
      }),
    ),
    usage: Usage,
    council: Metadata.describe(
      "The metadata of POST /mcp/model: answer, votes, proposals, warnings, cost. In a stream, in the last chunk with a choice.",
    ),
  })
  .meta({ id: "ChatCompletion" });

/** What the models act… return. */
export const AgentCompletion = z
  .looseObject({
    id: z.string(),
    object: z.literal("chat.completion"),
    choices: z.array(
      z.looseObject({
        index: z.literal(0),
        message: z.looseObject({
          content: z.unknown().optional(),
          tool_calls: z.array(z.unknown()).optional(),
        }),
        finish_reason: z.string(),
      }),
    ),
    council: z.looseObject({ run: z.string(), votes: z.string(), decided: z.string() }),
  })
  .meta({ id: "AgentCompletion" });

export const ChatError = z
  .strictObject({
    error: z.strictObject({
      message: z.string(),
      type: z.string(),
      param: z.string().nullable(),
      code: z.string(),
    }),
  })
  .meta({ id: "ChatError" });

/** Errors in the shape that chat clients expect. */
export function chatFailure(error: ServiceError): z.output<typeof ChatError> {
  return chatError(error.body);
}

export function chatError({ error }: ErrorBody): z.output<typeof ChatError> {
  const status = statusOf(error.code);
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { error: { message: error.message, type, param: error.details[0]?.path ?? null, code: error.code } };
}

/** What a request asks of the message. */
export interface MessageOptions extends AnswerLimits {
  /** The whole report instead of the answer. */
  readonly report: boolean;
  /** What was ignored of the request; they join the warnings of the run. */
  readonly warnings: readonly string[];
}

export function chatCompletion(
  id: string,
  model: string,
  response: ModelResponse,
  options: MessageOptions,
): unknown {
  const { metadata } = response;
  const { content, finish_reason } = limitAnswer(contentOf(response, options.report), options);
  return {
    ...chunkBase(id, model, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content, refusal: null },
        finish_reason,
        logprobs: null,
      },
    ],
    usage: chatUsage(metadata),
    council: withWarnings(metadata, options),
  };
}

/** The chunk that keeps an idle stream alive: it adds nothing to the message. */
export function keepAliveChunk(id: string, model: string): string {
  const choice = { index: 0, delta: {}, finish_reason: null, logprobs: null };
  return JSON.stringify({ ...chunkBase(id, model, "chat.completion.chunk"), choices: [choice] });
}

/**
 * The completion as chunks. There is no text before the council has decided, so progress is sent as reasoning, which clients show
 * or ignore; the answer follows.
 */
export async function* chatChunks(
  live: LiveRun | undefined,
  response: Promise<RunResponse>,
  {
    id,
    model,
    includeUsage,
    ...options
  }: MessageOptions & { id: string; model: string; includeUsage: boolean },
): AsyncGenerator<ServerEvent> {
  const base = chunkBase(id, model, "chat.completion.chunk");
  const chunk = (choices: unknown[], more: object = {}) => ({
    data: JSON.stringify({ ...base, choices, ...(includeUsage ? { usage: null } : {}), ...more }),
  });
  const delta = (delta: object) => chunk([{ index: 0, delta, finish_reason: null, logprobs: null }]);
  yield delta({ role: "assistant", content: "" });
  for await (const event of live?.subscribe() ?? []) {
    const line = describeEvent(event);
    if (line !== undefined) yield delta({ reasoning_content: `${line}\n` });
  }
  const { body } = await response;
  if ("error" in body) {
    yield { data: JSON.stringify(chatError(body)) };
    return;
  }
  const { content, finish_reason } = limitAnswer(contentOf(body, options.report), options);
  for (const piece of content.match(/[\s\S]{1,400}?(?:\s|$)|[\s\S]{1,400}/g) ?? [])
    yield delta({ content: piece });
  yield chunk([{ index: 0, delta: {}, finish_reason, logprobs: null }], {
    council: withWarnings(body.metadata, options),
  });
  if (includeUsage) yield chunk([], { usage: chatUsage(body.metadata) });
  yield { data: "[DONE]" };
}

function withWarnings(metadata: ModelResponse["metadata"], { warnings }: MessageOptions): object {
  return { ...metadata, warnings: [...metadata.warnings, ...warnings] };
}

function chunkBase(id: string, model: string, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(Date.now() / 1000), model };
}

/**
 * The text of the message: what `response_format` asked for, or the answer: of a vote its winner, of a council the judge's decision.
 * Without one, and where it is asked for, the report, which says why.
 */
function contentOf({ result, metadata }: ModelResponse, isReport: boolean): string {
  if (metadata.formatted !== undefined) return JSON.stringify(metadata.formatted);
  if (typeof metadata.answer === "object" && metadata.answer !== null) return JSON.stringify(metadata.answer);
  const report = typeof result === "string" ? result : JSON.stringify(result, null, 2);
  if (isReport) return report;
  if (metadata.council) return metadata.council.decision ?? report;
  if (metadata.answer === null) return report;
  return metadata.model === "simulated" ? `${metadata.answer}\n\n_${SIMULATED_NOTE}_` : metadata.answer;
}

function chatUsage({ usage }: ModelResponse["metadata"]): z.output<typeof Usage> {
  const { input_tokens, output_tokens } = usage;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
  };
}
