import { randomUUID } from "node:crypto";
import type { Body, Content, StopReason } from "../protocol.ts";
import { asRecords, asText, count, isRecord } from "../shared/values.ts";
import { CALLS, type Item, LOCAL_CALLS } from "./item.ts";

export function readReply(body: Body) {
  if (!Array.isArray(body["output"])) return undefined;
  const output = asRecords(body["output"]).map((item) =>
    CALLS.has(String(item["type"])) && !item["call_id"] ? { ...item, call_id: `call_${randomUUID()}` } : item,
  );
  const { status, incomplete_details: incomplete } = body;
  const reason = isRecord(incomplete) ? asText(incomplete["reason"]) : undefined;
  const parts = output.flatMap(partsOf);
  const refused = output.some(({ content }) => asRecords(content).some(({ type }) => type === "refusal"));
  const stop: StopReason =
    reason === "content_filter"
      ? "content_filter"
      : status === "incomplete"
        ? "length"
        : refused
          ? "refusal"
          : parts.some(({ type }) => type === "tool-call")
            ? "tool_calls"
            : "stop";
  return {
    message: {
      parts,
      stop,
      raw: { protocol: "responses" as const, value: { output, status, incomplete_details: incomplete } },
    },
    usage: readUsage(body["usage"]),
    ...(typeof body["model"] === "string" ? { model: body["model"] } : {}),
    finish: stop,
  };
}

function partsOf(item: Item): Content[] {
  const { type, content, summary, call_id: callId, name, namespace } = item;
  const toolCallId = String(callId ?? item["id"]);
  const toolName = typeof namespace === "string" ? `${namespace}/${name}` : String(name);
  if (type === "message")
    return asRecords(content).flatMap((part) =>
      typeof part["text"] === "string" ? [{ type: "text" as const, text: part["text"] }] : [],
    );
  if (type === "reasoning") {
    const text = [...asRecords(summary), ...asRecords(content)]
      .flatMap((part) => asText(part["text"]) ?? [])
      .join("\n");
    return text === "" ? [] : [{ type: "reasoning", text }];
  }
  if (type === "function_call")
    return [
      {
        type: "tool-call",
        toolCallId,
        toolName,
        input: asText(item["arguments"]) ?? JSON.stringify(item["arguments"] ?? {}),
      },
    ];
  if (type === "custom_tool_call")
    return [{ type: "tool-call", toolCallId, toolName, input: String(item["input"] ?? ""), dynamic: true }];
  const local = LOCAL_CALLS[String(type)];
  if (local === undefined) return [];
  const { id: _, call_id: __, type: ___, status: ____, ...action } = item;
  return [{ type: "tool-call", toolCallId, toolName: local, input: JSON.stringify(action) }];
}

function readUsage(usage: unknown) {
  if (!isRecord(usage)) return { inputTokens: 0, outputTokens: 0 };
  const input = isRecord(usage["input_tokens_details"]) ? usage["input_tokens_details"] : {};
  const output = isRecord(usage["output_tokens_details"]) ? usage["output_tokens_details"] : {};
  return {
    inputTokens: count(usage["input_tokens"]),
    outputTokens: count(usage["output_tokens"]),
    reasoningTokens: count(output["reasoning_tokens"]),
    cachedInputTokens: count(input["cached_tokens"]),
  };
}
