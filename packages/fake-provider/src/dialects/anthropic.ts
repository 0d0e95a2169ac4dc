import { chatCompletions, strictProblem } from "./chat-completions.ts";
import type { FakeDialect } from "./dialect.ts";

const STOP = {
  stop: "end_turn",
  length: "max_tokens",
  content_filter: "refusal",
  tool_calls: "tool_use",
} as const;
type Format = { readonly type?: string; readonly schema?: unknown } | undefined;

/** The Messages API. */
export const anthropic: FakeDialect = {
  ...chatCompletions,
  match: ({ pathname }) => (pathname.endsWith("/messages") ? {} : undefined),
  isAuthorised: (headers, key) => headers["x-api-key"] === key,
  read: ({ system, messages, output_config, ...body }) => {
    const format = (output_config as { format?: Format } | undefined)?.format;
    return {
      ...body,
      messages: [
        ...(system === undefined ? [] : [{ role: "system", content: system }]),
        ...(messages as { role: string; content: unknown }[]),
      ],
      ...(format ? { response_format: { type: format.type, json_schema: { schema: format.schema } } } : {}),
    };
  },
  rejection: (request) => {
    if (request.max_tokens == null) return { status: 400, message: "max_tokens: Field required" };
    if ((request.temperature ?? 0) > 1) return { status: 400, message: "temperature: range: 0..1" };
    if (/opus-4/.test(request.model) && request.temperature != null)
      return { status: 400, message: "`temperature` is deprecated for this model." };
    const schema = request.response_format?.json_schema?.schema;
    const keyword = /"(minimum|maximum|minLength|maxLength|multipleOf)":/.exec(
      JSON.stringify(schema ?? {}),
    )?.[1];
    if (keyword)
      return { status: 400, message: `output_config.format.schema: property '${keyword}' is not supported` };
    return strictProblem(schema)
      ? {
          status: 400,
          message:
            "output_config.format.schema: For 'object' type, 'additionalProperties' must be explicitly set to false",
        }
      : undefined;
  },
  error: ({ status, message, type = "invalid_request_error" }) => ({
    status: status === 503 ? 529 : status,
    body: {
      type: "error",
      error: {
        type: status === 429 ? "rate_limit_error" : status === 503 ? "overloaded_error" : type,
        message,
      },
      request_id: "req_fake",
    },
  }),
  completion: ({ model }, { content, reasoning, refusal, toolCall, finishReason, usage }, id) => ({
    type: "message",
    id: `msg_${id}`,
    model,
    role: "assistant",
    content: [
      ...(reasoning ? [{ type: "thinking", thinking: reasoning, signature: "fake" }] : []),
      ...(content === "" ? [] : [{ type: "text", text: content }]),
      ...(toolCall
        ? [{ type: "tool_use", id: `toolu_${id}`, name: toolCall.tool, input: toolCall.input }]
        : []),
    ],
    stop_reason: refusal ? "refusal" : STOP[finishReason],
    stop_sequence: null,
    usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
  }),
};
