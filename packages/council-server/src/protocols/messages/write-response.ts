import type { AgentMessage, AgentResponse, Body, StreamedEvent } from "../protocol.ts";
import { event, pieces } from "../shared/stream.ts";
import { parseInput } from "../shared/values.ts";
import type { Block } from "./block.ts";

export const writeResponse = (response: AgentResponse): Body => ({
  ...base(response),
  ...contentOf(response.message),
  usage: usageOf(response),
  council: response.council,
});

/** The same as a stream, after its opening. */
export function* writeEvents(response: AgentResponse): Iterable<StreamedEvent> {
  const { content, stop_reason, stop_sequence } = contentOf(response.message);
  for (const [index, block] of content.entries()) yield* blockEvents(block, index);
  yield event("message_delta", {
    delta: { stop_reason, stop_sequence },
    usage: usageOf(response),
    council: response.council,
  });
  yield event("message_stop", {});
}

function contentOf({ raw, parts, stop }: AgentMessage): {
  content: readonly Block[];
  stop_reason: unknown;
  stop_sequence: unknown;
} {
  if (raw?.protocol === "messages") return raw.value as never;
  const content = parts.map((part): Block => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "reasoning") return { type: "thinking", thinking: part.text, signature: "" };
    return { type: "tool_use", id: part.toolCallId, name: part.toolName, input: parseInput(part.input) };
  });
  return { content, stop_reason: STOP_REASONS[stop], stop_sequence: null };
}

const STOP_REASONS = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  content_filter: "refusal",
} as const;

function* blockEvents(block: Block, index: number): Iterable<StreamedEvent> {
  const { type, text, thinking, signature, input } = block;
  const start = (content_block: Block) => event("content_block_start", { index, content_block });
  const delta = (delta: object) => event("content_block_delta", { index, delta });
  if (type === "text") {
    yield start({ ...block, text: "" });
    for (const piece of pieces(String(text))) yield delta({ type: "text_delta", text: piece });
  } else if (type === "thinking") {
    yield start({ type, thinking: "", signature: "" });
    for (const piece of pieces(String(thinking))) yield delta({ type: "thinking_delta", thinking: piece });
    yield delta({ type: "signature_delta", signature });
  } else if (type === "tool_use") {
    yield start({ ...block, input: {} });
    for (const piece of pieces(JSON.stringify(input ?? {})))
      yield delta({ type: "input_json_delta", partial_json: piece });
  } else yield start(block);
  yield event("content_block_stop", { index });
}

export const base = ({ id, model }: Pick<AgentResponse, "id" | "model">): Block => ({
  id: `msg_${id}`,
  type: "message",
  role: "assistant",
  model,
});

function usageOf({ usage: { input, output, cachedInput, cacheWrite } }: AgentResponse) {
  return {
    input_tokens: Math.max(0, input - cachedInput - cacheWrite),
    output_tokens: output,
    cache_read_input_tokens: cachedInput,
    cache_creation_input_tokens: cacheWrite,
  };
}
