import { randomUUID } from "node:crypto";
import type { About, AgentMessage, AgentResponse, Body, Content, StreamedEvent } from "../protocol.ts";
import { event } from "../shared/stream.ts";
import { isRecord } from "../shared/values.ts";
import type { Item } from "./item.ts";
import { itemEvents } from "./item-events.ts";

export function writeResponse(response: AgentResponse): WrittenResponse {
  const { output, ...end } = outputOf(response.message);
  return { ...base(response), ...end, output, usage: usageOf(response), metadata: metadataOf(response) };
}

interface WrittenResponse extends Body {
  readonly output: readonly Item[];
  readonly status: string;
}

/** The same as a stream, after its opening. */
export function* writeEvents(response: AgentResponse): Iterable<StreamedEvent> {
  const whole = writeResponse(response);
  for (const [index, item] of whole.output.entries()) yield* itemEvents(item, index);
  yield event(whole.status === "completed" ? "response.completed" : "response.incomplete", {
    response: whole,
  });
}

export function base({ id, model, request }: About): Item {
  const {
    instructions,
    tools,
    tool_choice,
    parallel_tool_calls,
    temperature,
    top_p,
    reasoning,
    text,
    max_output_tokens,
    truncation,
    metadata,
    user,
  } = request;
  return {
    id: `resp_${id}`,
    object: "response",
    created_at: Math.floor(Date.now() / 1000),
    status: "completed",
    background: false,
    error: null,
    incomplete_details: null,
    instructions: instructions ?? null,
    max_output_tokens: max_output_tokens ?? null,
    model,
    output: [],
    parallel_tool_calls: parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: reasoning ?? { effort: null, summary: null },
    store: false,
    temperature: temperature ?? 1,
    text: text ?? { format: { type: "text" } },
    tool_choice: tool_choice ?? "auto",
    tools: tools ?? [],
    top_p: top_p ?? 1,
    truncation: truncation ?? "disabled",
    usage: null,
    user: user ?? null,
    metadata: metadata ?? {},
  };
}

function outputOf({ raw, parts, stop }: AgentMessage): {
  output: readonly Item[];
  status: string;
  incomplete_details: unknown;
} {
  if (raw?.protocol === "responses") {
    const { output, status, incomplete_details } = raw.value as {
      output: Item[];
      status?: string;
      incomplete_details?: unknown;
    };
    return { output, status: status ?? "completed", incomplete_details: incomplete_details ?? null };
  }
  const reason =
    stop === "length" ? "max_output_tokens" : stop === "content_filter" ? "content_filter" : undefined;
  return {
    output: parts.map((part) => toItem(part, stop === "refusal")),
    status: reason ? "incomplete" : "completed",
    incomplete_details: reason ? { reason } : null,
  };
}

function toItem(part: Content, isRefusal: boolean): Item {
  const id = randomUUID().replaceAll("-", "");
  switch (part.type) {
    case "reasoning":
      return { id: `rs_${id}`, type: "reasoning", summary: [{ type: "summary_text", text: part.text }] };
    case "tool-call":
      return part.dynamic
        ? {
            id: `ctc_${id}`,
            type: "custom_tool_call",
            status: "completed",
            call_id: part.toolCallId,
            name: part.toolName,
            input: part.input,
          }
        : {
            id: `fc_${id}`,
            type: "function_call",
            status: "completed",
            call_id: part.toolCallId,
            name: part.toolName,
            arguments: part.input,
          };
    default:
      return {
        id: `msg_${id}`,
        type: "message",
        role: "assistant",
        status: "completed",
        content: isRefusal
          ? [{ type: "refusal", refusal: part.text }]
          : [{ type: "output_text", text: part.text, annotations: [], logprobs: [] }],
      };
  }
}

const metadataOf = ({ request, council }: AgentResponse) => ({
  ...(isRecord(request["metadata"]) ? request["metadata"] : {}),
  ...Object.fromEntries(
    Object.entries(council).map(([name, value]) => [`council_${name}`, value.slice(0, 512)]),
  ),
});

function usageOf({ usage: { input, output, cachedInput, reasoning } }: AgentResponse) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cachedInput },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}
