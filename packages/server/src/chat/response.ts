import { z } from "zod";
import { type ErrorBody, Metadata, type ModelResponse } from "../http/api-schemas.ts";
import type { HttpError } from "../http/errors.ts";
import type { ServerEvent } from "../http/sse.ts";
import { describeEvent } from "../runs/describe-event.ts";
import type { LiveRun, Outcome } from "../runs/live-run.ts";

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
        finish_reason: z.literal("stop"),
      }),
    ),
    usage: Usage,
    council: Metadata.describe("The metadata of POST /mcp/model."),
  })
  .meta({ id: "ChatCompletion" });

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
export function chatFailure(error: HttpError): z.output<typeof ChatError> {
  return chatError(error.status, error.body);
}

export function chatError(status: number, { error }: ErrorBody): z.output<typeof ChatError> {
  const type = status >= 500 ? "server_error" : status === 429 ? "rate_limit_error" : "invalid_request_error";
  return { error: { message: error.message, type, param: error.details[0]?.path ?? null, code: error.code } };
}

export function chatCompletion(id: string, model: string, { result, metadata }: ModelResponse): unknown {
  return {
    ...chunkBase(id, model, "chat.completion"),
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: contentOf({ result, metadata }), refusal: null },
        finish_reason: "stop",
        logprobs: null,
      },
    ],
    usage: chatUsage(metadata),
    council: metadata,
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
  outcome: Promise<Outcome>,
  { id, model, includeUsage }: { id: string; model: string; includeUsage: boolean },
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
  const { status, body } = await outcome;
  if ("error" in body) {
    yield { data: JSON.stringify(chatError(status, body)) };
    return;
  }
  for (const piece of contentOf(body).match(/[\s\S]{1,400}?(?:\s|$)|[\s\S]{1,400}/g) ?? [])
    yield delta({ content: piece });
  yield chunk([{ index: 0, delta: {}, finish_reason: "stop", logprobs: null }], { council: body.metadata });
  if (includeUsage) yield chunk([], { usage: chatUsage(body.metadata) });
  yield { data: "[DONE]" };
}

function chunkBase(id: string, model: string, object: string): object {
  return { id: `chatcmpl-${id}`, object, created: Math.floor(Date.now() / 1000), model };
}

/** The text of the message: what `response_format` asked for, or the result. */
function contentOf({ result, metadata }: ModelResponse): string {
  if (metadata.formatted !== undefined) return JSON.stringify(metadata.formatted);
  if (typeof metadata.answer === "object" && metadata.answer !== null) return JSON.stringify(metadata.answer);
  return typeof result === "string" ? result : JSON.stringify(result, null, 2);
}

function chatUsage({ usage }: ModelResponse["metadata"]): z.output<typeof Usage> {
  const { input_tokens, output_tokens } = usage;
  return {
    prompt_tokens: input_tokens,
    completion_tokens: output_tokens,
    total_tokens: input_tokens + output_tokens,
  };
}
