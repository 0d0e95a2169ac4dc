import { randomUUID } from "node:crypto";
import type { Body, Content, StopReason } from "../protocol.ts";
import { asRecords, asText, count, isRecord } from "../shared/values.ts";

export function readReply(body: Body) {
  if (!Array.isArray(body["content"])) return undefined;
  const content = asRecords(body["content"]).map((block) =>
    block["type"] === "tool_use" && !block["id"] ? { ...block, id: `toolu_${randomUUID()}` } : block,
  );
  const finish = asText(body["stop_reason"]);
  const parts = content.flatMap((block): Content[] => {
    const { type, text, thinking, id, name, input } = block;
    if (type === "text") return [{ type: "text", text: String(text) }];
    if (type === "thinking") return [{ type: "reasoning", text: String(thinking) }];
    return type === "tool_use"
      ? [
          {
            type: "tool-call",
            toolCallId: String(id),
            toolName: String(name),
            input: typeof input === "string" ? input : JSON.stringify(input ?? {}),
          },
        ]
      : [];
  });
  const stop =
    STOPS[finish ?? ""] ?? (parts.some(({ type }) => type === "tool-call") ? "tool_calls" : "stop");
  const { stop_reason, stop_sequence, stop_details, container } = body;
  const value = {
    content,
    stop_reason,
    stop_sequence: stop_sequence ?? null,
    ...(stop_details == null ? {} : { stop_details }),
    ...(container == null ? {} : { container }),
  };
  return {
    message: { parts, stop, raw: { protocol: "messages" as const, value } },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    ...(finish === undefined ? {} : { finish }),
  };
}

const STOPS: Readonly<Record<string, StopReason>> = {
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
};

/** What comes from the cache is not part of `input_tokens` here. */
function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const [cachedInputTokens, cacheWriteTokens] = [
    count(usage["cache_read_input_tokens"]),
    count(usage["cache_creation_input_tokens"]),
  ];
  return {
    inputTokens: count(usage["input_tokens"]) + cachedInputTokens + cacheWriteTokens,
    outputTokens: count(usage["output_tokens"]),
    cachedInputTokens,
    cacheWriteTokens,
  };
}
