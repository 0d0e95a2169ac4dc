import {
  asObject,
  type Dialect,
  type Json,
  newId,
  refuseIf,
  type StreamEvent,
  type ToolResult,
  type Turn,
} from "./dialect.ts";
import { checkAnthropicSchema } from "./schema-rules.ts";

/** The Anthropic Messages API. */
export const anthropic: Dialect = {
  read(body, { headers }) {
    refuseIf(headers.get("anthropic-version") === null, "anthropic-version: header is required");
    refuseIf(typeof body.max_tokens !== "number", "max_tokens: Field required");
    checkTools(body.tools ?? []);
    return {
      tools: (body.tools ?? []).map(({ name }: Json) => name),
      results: resultsOf(body.messages),
      stream: body.stream === true,
    };
  },
  respond: (turn, body) => message(turn, body),
  stream(turn, body) {
    const { content, stop_reason, ...start } = message(turn, body);
    const events: StreamEvent[] = [];
    const push = (type: string, fields: Json = {}) => events.push({ event: type, data: { type, ...fields } });
    push("message_start", { message: { ...start, content: [], stop_reason: null } });
    for (const [index, block] of content.entries()) {
      const isText = block.type === "text";
      push("content_block_start", {
        index,
        content_block: isText ? { ...block, text: "" } : { ...block, input: {} },
      });
      const delta = isText
        ? { type: "text_delta", text: block.text }
        : { type: "input_json_delta", partial_json: JSON.stringify(block.input) };
      push("content_block_delta", { index, delta });
      push("content_block_stop", { index });
    }
    push("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 1 } });
    push("message_stop");
    return events;
  },
  refuse: (text) => ({ type: "error", error: { type: "invalid_request_error", message: text } }),
};

/** Names `^[a-zA-Z0-9_-]{1,128}$` (home-assistant/core#147760), and none twice. */
function checkTools(tools: readonly Json[]): void {
  for (const [index, { type = "custom", name, input_schema, description }] of tools.entries()) {
    if (type !== "custom") continue;
    const path = `tools.${index}.custom`;
    refuseIf(
      !/^[a-zA-Z0-9_-]{1,128}$/.test(name ?? ""),
      `${path}.name: String should match pattern '^[a-zA-Z0-9_-]{1,128}$'`,
    );
    refuseIf(description === "", `${path}.description: String should have at least 1 character`);
    checkAnthropicSchema(path, input_schema);
  }
  refuseIf(new Set(tools.map(({ name }) => name)).size < tools.length, "tools: Tool names must be unique.");
  const isDeferred = tools.length > 0 && tools.every((tool) => tool.defer_loading === true);
  refuseIf(isDeferred, "At least one tool must have defer_loading=false.");
}

const IMAGES = ["image/jpeg", "image/png", "image/gif", "image/webp"];

/**
 * "`tool_use` ids were found without `tool_result` blocks immediately after" (anthropics/claude-code#2697); "text
 * content blocks must be non-empty"; what a result may hold: messages.d.ts, `ToolResultBlockParam.content`.
 */
function resultsOf(messages: readonly Json[]): ToolResult[] {
  const blocks = (message: Json): Json[] => (Array.isArray(message?.content) ? message.content : []);
  for (const [index, message] of messages.entries()) {
    const wanted = blocks(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
    const answered = blocks(messages[index + 1]).map((block) => block.tool_use_id);
    const missing = wanted.filter((id) => !answered.includes(id));
    refuseIf(
      missing.length > 0,
      `messages.${index + 1}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${missing}.`,
    );
  }
  const results = messages.flatMap(blocks).filter(({ type }) => type === "tool_result");
  return results.map(({ content = [], is_error = false }) => {
    const parts: Json[] = typeof content === "string" ? [{ type: "text", text: content }] : content;
    for (const part of parts) {
      refuseIf(part.type === "text" && part.text === "", "messages: text content blocks must be non-empty");
      refuseIf(
        !["text", "image", "document"].includes(part.type),
        `tool_result.content: Input tag '${part.type}' found`,
      );
      refuseIf(
        part.type === "image" && !IMAGES.includes(part.source?.media_type),
        "image.source.media_type: Input should be an image",
      );
    }
    const text = parts.flatMap((part) => part.text ?? []).join("\n");
    return { text, isError: is_error, media: parts.flatMap((part) => part.source?.media_type ?? []) };
  });
}

function message(turn: Turn, body: Json): Json {
  const content =
    "text" in turn
      ? [{ type: "text", text: turn.text, citations: null }]
      : turn.calls.map(({ name, input }) => ({
          type: "tool_use",
          id: newId("toolu"),
          name,
          input: asObject(input),
        }));
  return {
    id: newId("msg"),
    type: "message",
    role: "assistant",
    model: body.model,
    content,
    stop_reason: "text" in turn ? "end_turn" : "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  };
}
