import { asText, type Dialect, type Json, newId, refuseIf, type ToolResult, type Turn } from "./dialect.ts";
import { checkOpenAiSchema } from "./schema-rules.ts";

/** OpenAI Chat Completions. */
export const openAiChat: Dialect = {
  read(body) {
    checkFunctions(
      (body.tools ?? []).map((tool: Json) => tool.function),
      "tools",
    );
    return {
      tools: (body.tools ?? []).map((tool: Json) => tool.function.name),
      results: resultsOf(body.messages),
      stream: body.stream === true,
    };
  },
  respond: (turn, body) => ({
    id: newId("chatcmpl"),
    object: "chat.completion",
    created: 1,
    model: body.model,
    choices: [{ index: 0, message: messageOf(turn), finish_reason: reasonOf(turn), logprobs: null }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  }),
  stream(turn, body) {
    const id = newId("chatcmpl");
    const chunk = (delta: Json, finish_reason: string | null = null) => ({
      data: {
        id,
        object: "chat.completion.chunk",
        created: 1,
        model: body.model,
        choices: [{ index: 0, delta, finish_reason }],
      },
    });
    const deltas = "text" in turn ? [{ content: turn.text }] : messageOf(turn).tool_calls.flatMap(inTwoParts);
    return [
      chunk({ role: "assistant" }),
      ...deltas.map((delta: Json) => chunk(delta)),
      chunk({}, reasonOf(turn)),
      { data: "[DONE]" },
    ];
  },
  refuse: (message) => ({ error: { message, type: "invalid_request_error", param: null, code: null } }),
};

/**
 * Names `^[a-zA-Z0-9_-]{1,64}$` (openai/resources/shared.d.ts, `FunctionDefinition.name`), at most 128 tools
 * (zed-industries/zed#32946), descriptions of at most 1024 characters (getsentry/sentry-mcp#106).
 */
export function checkFunctions(functions: readonly Json[], place: string): void {
  refuseIf(
    functions.length > 128,
    `Invalid '${place}': array too long. Expected an array with maximum length 128.`,
  );
  for (const [index, { name, description, parameters, strict }] of functions.entries()) {
    const at = `'${place}[${index}].function`;
    refuseIf(
      !/^[a-zA-Z0-9_-]+$/.test(name ?? ""),
      `Invalid ${at}.name': string does not match pattern '^[a-zA-Z0-9_-]+$'.`,
    );
    refuseIf(
      name.length > 64,
      `Invalid ${at}.name': string too long. Expected a string with maximum length 64.`,
    );
    refuseIf(
      (description ?? "").length > 1024,
      `Invalid ${at}.description': string too long, maximum length 1024.`,
    );
    checkOpenAiSchema(name, parameters, strict === true);
  }
}

/**
 * "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'"
 * (agno-agi/agno#3105). The content of such a message is text (completions.d.ts, `ChatCompletionToolMessageParam`).
 */
function resultsOf(messages: readonly Json[]): ToolResult[] {
  for (const [index, message] of messages.entries()) {
    const wanted: string[] = (message.tool_calls ?? []).map((call: Json) => call.id);
    const answered = messages.slice(index + 1, index + 1 + wanted.length).map((next) => next.tool_call_id);
    const missing = wanted.filter((id) => !answered.includes(id));
    refuseIf(
      missing.length > 0,
      `An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The following tool_call_ids did not have response messages: ${missing}`,
    );
  }
  return messages
    .filter(({ role }) => role === "tool")
    .map(({ content }) => {
      const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
      refuseIf(
        parts.some(({ type }: Json) => type !== "text"),
        "Invalid content type in a tool message: only 'text' is supported.",
      );
      const text = parts.map((part: Json) => part.text).join("\n");
      return { text, isError: isErrorText(text), media: [] };
    });
}

/** There is no flag for errors; SDKs say it in words, or as `{"error": …}`. */
export function isErrorText(text: string): boolean {
  return /^(Error|\{"error":)/.test(text);
}

function messageOf(turn: Turn): Json {
  if ("text" in turn) return { role: "assistant", content: turn.text, refusal: null };
  const tool_calls = turn.calls.map(({ name, input }) => ({
    id: newId("call"),
    type: "function",
    function: { name, arguments: asText(input) },
  }));
  return { role: "assistant", content: null, refusal: null, tool_calls };
}

/** Arguments arrive in pieces, and only the first names the call. */
function inTwoParts({ id, function: { name, arguments: text } }: Json, index: number): Json[] {
  const half = Math.ceil(text.length / 2);
  return [
    { tool_calls: [{ index, id, type: "function", function: { name, arguments: text.slice(0, half) } }] },
    { tool_calls: [{ index, function: { arguments: text.slice(half) } }] },
  ];
}

function reasonOf(turn: Turn): string {
  return "text" in turn ? "stop" : "tool_calls";
}
