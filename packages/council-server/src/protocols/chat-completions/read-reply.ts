import { randomUUID } from "node:crypto";
import type { Body, Content, StopReason } from "../protocol.ts";
import { textOf } from "../shared/conversation.ts";
import { asRecords, asText, count, isRecord } from "../shared/values.ts";

export function readReply(body: Body) {
  const [choice] = asRecords(body["choices"]);
  const message = choice?.["message"];
  if (!choice || !isRecord(message)) return undefined;
  const calls = asRecords(message["tool_calls"]).map(withId);
  const content = message["content"];
  const text = typeof content === "string" ? content : textOf(content);
  const reasoning = asText(message["reasoning_content"]) ?? asText(message["reasoning"]);
  const refusal = asText(message["refusal"]);
  const finish = asText(choice["finish_reason"]);
  const parts: Content[] = [
    ...(reasoning ? [{ type: "reasoning" as const, text: reasoning }] : []),
    ...(text ? [{ type: "text" as const, text }] : []),
    ...calls.map(toCallPart),
  ];
  const stop: StopReason = refusal
    ? "refusal"
    : calls.length > 0
      ? "tool_calls"
      : (STOPS[finish ?? ""] ?? "stop");
  const value = {
    ...choice,
    index: 0,
    message: calls.length > 0 ? { ...message, tool_calls: calls } : message,
  };
  return {
    message: { parts, stop, raw: { protocol: "chat" as const, value } },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    ...(finish === undefined ? {} : { finish: refusal ? "refusal" : finish }),
  };
}

const STOPS: Readonly<Record<string, StopReason>> = {
  tool_calls: "tool_calls",
  function_call: "tool_calls",
  length: "length",
  content_filter: "content_filter",
};

/** Ids may be missing, and arguments may be an object. */
function withId(call: Record<string, unknown>): Record<string, unknown> {
  const { id, function: called } = call;
  const isObject =
    isRecord(called) && called["arguments"] !== undefined && typeof called["arguments"] !== "string";
  return {
    ...call,
    id: asText(id) || `call_${randomUUID()}`,
    ...(isObject ? { function: { ...called, arguments: JSON.stringify(called["arguments"]) } } : {}),
  };
}

function toCallPart({ id, function: called, custom }: Record<string, unknown>): Content {
  const declared = isRecord(custom) ? custom : isRecord(called) ? called : {};
  return {
    type: "tool-call",
    toolCallId: String(id),
    toolName: asText(declared["name"]) ?? "",
    input: asText(declared["arguments"]) ?? asText(declared["input"]) ?? "",
    ...(isRecord(custom) ? { dynamic: true } : {}),
  };
}

function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const input = isRecord(usage["prompt_tokens_details"]) ? usage["prompt_tokens_details"] : {};
  const output = isRecord(usage["completion_tokens_details"]) ? usage["completion_tokens_details"] : {};
  const { cost } = usage;
  return {
    inputTokens: count(usage["prompt_tokens"]),
    outputTokens: count(usage["completion_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    cachedInputTokens: count(input["cached_tokens"] ?? usage["prompt_cache_hit_tokens"]),
    ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
  };
}
