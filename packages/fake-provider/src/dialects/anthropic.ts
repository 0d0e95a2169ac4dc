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
  completion: ({ model }, { content, reasoning, refusal, toolCalls = [], finishReason, usage }, id) => ({
    type: "message",
    id: `msg_${id}`,
    model,
    role: "assistant",
    content: [
      ...(reasoning ? [{ type: "thinking", thinking: reasoning, signature: "fake" }] : []),
      ...(content === "" ? [] : [{ type: "text", text: content }]),
      ...toolCalls.map(({ tool, input }, i) => ({
        type: "tool_use",
        id: `toolu_${id}_${i}`,
        name: tool,
        input,
      })),
    ],
    stop_reason: refusal ? "refusal" : STOP[finishReason],
    stop_sequence: null,
    usage: { input_tokens: usage.prompt_tokens, output_tokens: usage.completion_tokens },
  }),
  stream: (request, completion, id) => {
    const { content, ...message } = anthropic.completion(request, completion, id) as Message;
    return [
      event("message_start", { message: { ...message, content: [], stop_reason: null } }),
      ...content.flatMap((block, index) => [
        event("content_block_start", { index, content_block: { ...block, ...EMPTY[block.type] } }),
        event("content_block_delta", { index, delta: deltaOf(block) }),
        event("content_block_stop", { index }),
      ]),
      event("message_delta", { delta: { stop_reason: message.stop_reason }, usage: message.usage }),
      event("message_stop", {}),
    ];
  },
};

type Block = { readonly type: string } & Readonly<Record<string, unknown>>;
interface Message {
  readonly content: readonly Block[];
  readonly stop_reason: string;
  readonly usage: unknown;
}

const EMPTY: Readonly<Record<string, object>> = {
  text: { text: "" },
  thinking: { thinking: "" },
  tool_use: { input: {} },
};

const deltaOf = ({ type, text, thinking, input }: Block) =>
  type === "text"
    ? { type: "text_delta", text }
    : type === "thinking"
      ? { type: "thinking_delta", thinking }
      : { type: "input_json_delta", partial_json: JSON.stringify(input) };

const event = (type: string, fields: object) => ({ event: type, data: JSON.stringify({ type, ...fields }) });
