import type { ModelCall, ModelReply, ModelRequest } from "@mci-ts/council";
import type { RunCall } from "../../api/call-schemas.ts";
import type { CallRecord } from "../../store/records.ts";

/** Calls of one run have together so many times what one text may have. */
const TEXTS_OF_A_RUN = 20;

export interface CallRecorderOptions {
  /** The id of the run. */
  readonly id: string;
  /** Characters that are kept of each text; 0: nothing is recorded. */
  readonly maxChars: number;
  /** Removes our keys from a text. */
  readonly redact: (text: string) => string;
  readonly record: (record: CallRecord) => void;
}

/**
 * Records the model calls of a run with prompt and reply as they were. What does not fit is cut, and the record says how many
 * characters are missing; it has neither images nor the conversation of an agent, which is part of the run's request.
 */
export function createCallRecorder({ id, maxChars, redact, record }: CallRecorderOptions) {
  let left = maxChars * TEXTS_OF_A_RUN;
  return (call: ModelCall): void => {
    if (maxChars === 0) return;
    let cut = 0;
    const keep = (text: string): string => {
      const kept = text.slice(0, Math.min(maxChars, Math.max(0, left)));
      left -= kept.length;
      cut += text.length - kept.length;
      return redact(kept);
    };
    const { request, reply, attempts, error } = call;
    const messages = messagesOf(request, reply).map(({ role, text }) => ({ role, content: keep(text) }));
    const { schema, tools = [] } = request;
    const data: Omit<RunCall, "red_flag"> = {
      call: call.call,
      purpose: request.purpose,
      model: request.model,
      responding_model: reply?.model ?? null,
      temperature: request.asSent ? null : request.temperature,
      max_output_tokens: request.maxOutputTokens,
      messages,
      ...(schema ? { answer_schema: keep(JSON.stringify(schema.jsonSchema)) } : {}),
      ...(tools.length === 0 ? {} : { tools: tools.map(({ name }) => name) }),
      ...(sentSettings(reply) === undefined ? {} : { sent: sentSettings(reply)! }),
      reply: reply ? keep(replyOf(reply)) : null,
      reasoning: reply?.reasoning === undefined ? null : keep(reply.reasoning),
      ...(reply?.toolCalls?.length
        ? {
            tool_calls: reply.toolCalls.map(({ name, input }) => ({
              name,
              input: keep(JSON.stringify(input) ?? ""),
            })),
          }
        : {}),
      finish_reason: reply?.finishReason ?? null,
      input_tokens: reply?.usage.inputTokens ?? null,
      output_tokens: reply?.usage.outputTokens ?? null,
      reasoning_tokens: reply?.usage.reasoningTokens ?? null,
      cached_tokens: reply?.usage.cachedInputTokens ?? null,
      cost_usd: call.costUsd ?? null,
      latency_ms: reply?.latencyMs ?? null,
      attempts,
      error: error === undefined ? null : keep(error),
      cut_chars: cut,
    };
    record({ kind: "call", id, call: call.call, data: JSON.stringify(data) });
  };
}

/** As the adapter sent them where it says so: an endpoint without schemas gets the schema in words, for example. */
function messagesOf(
  { messages, conversation }: ModelRequest,
  reply: ModelReply | undefined,
): readonly { readonly role: string; readonly text: string }[] {
  if (conversation)
    return [{ role: "note", text: "The conversation of the agent; the request of the run has it." }];
  const prompt = (reply?.sent as { prompt?: unknown } | undefined)?.prompt;
  const sent: readonly { readonly role: string; readonly content: unknown }[] = Array.isArray(prompt)
    ? prompt
    : messages;
  return sent.map(({ role, content }) => ({ role, text: textOf(content) }));
}

function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return JSON.stringify(content) ?? "";
  return content
    .map((part) =>
      part?.type === "text" && typeof part.text === "string" ? part.text : JSON.stringify(part),
    )
    .join("\n");
}

const sentSettings = (reply: ModelReply | undefined) =>
  (reply?.sent as { parameters?: Record<string, unknown> } | undefined)?.parameters;

/** A reply that the provider parsed may have no text of its own. */
const replyOf = ({ text, object }: ModelReply) =>
  text !== "" || object === undefined ? text : (JSON.stringify(object) ?? "");
