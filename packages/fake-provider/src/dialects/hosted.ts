import { parseJson } from "@mci-ts/primitives/parse-json";
import type { ChatRequest } from "../chat-request.ts";
import type { Completion } from "../completion.ts";
import { chatBody, chatCompletions, formatOf, needsTheWord, strictProblem } from "./chat-completions.ts";
import type { FakeDialect } from "./dialect.ts";

/** Failures of the provider behind it arrive inside HTTP 200, their text wrapped in `metadata.raw`. */
export const openrouter: FakeDialect = {
  ...chatCompletions,
  rejection: (request) =>
    formatOf(request) === "json_schema" && /llama/.test(request.model)
      ? { status: 400, message: "response_format json_schema is not supported by this provider" }
      : undefined,
  error: ({ status, message }) => ({
    status: status === 401 || status === 402 ? status : 200,
    body: {
      error: {
        code: status,
        message: "Provider returned error",
        metadata: { raw: JSON.stringify({ error: { message } }), provider_name: "Fake" },
      },
    },
  }),
  completion: (request, completion, id) =>
    chatBody(request, completion, `gen-${id}`, {
      message: completion.reasoning
        ? {
            reasoning: completion.reasoning,
            reasoning_details: [{ type: "reasoning.text", text: completion.reasoning }],
          }
        : {},
      choice: { native_finish_reason: completion.finishReason },
      more: { provider: "Fake", usage: { ...completion.usage, cost: 0.0001 } },
    }),
};

/** Checks JSON itself and rejects what does not parse. Knows json_schema on few models. */
export const groq: FakeDialect = {
  ...chatCompletions,
  rejection: (request) => {
    if (request["logprobs"] != null || (request["n"] ?? 1) !== 1)
      return { status: 400, message: "logprobs and n are not supported", param: "n" };
    const { json_schema } = request.response_format ?? {};
    if (formatOf(request) === "json_schema") {
      if (!/gpt-oss|kimi|llama-4/.test(request.model))
        return {
          status: 400,
          message:
            "This model does not support response format `json_schema`. See supported models in the docs.",
          param: "response_format",
        };
      const keyword = /"(minItems|maxItems|minLength|maxLength|pattern)":/.exec(
        JSON.stringify(json_schema),
      )?.[1];
      const problem = json_schema?.["strict"]
        ? (keyword && `${keyword} is not supported`) || strictProblem(json_schema.schema)
        : undefined;
      if (problem) return { status: 400, message: `invalid JSON schema for response_format: ${problem}` };
    }
    return needsTheWord(request);
  },
  reject: (request, { content, finishReason }) => {
    if (request.response_format == null || finishReason !== "stop" || isJson(content)) return undefined;
    return {
      status: 400,
      message:
        "Failed to generate JSON. Please adjust your prompt. See 'failed_generation' for more details.",
      code: "json_validate_failed",
      failedGeneration: content,
    };
  },
  error: ({ status, message, type = "invalid_request_error", code, param, failedGeneration }) => ({
    status,
    body: {
      error: {
        message,
        type,
        ...(code === undefined ? {} : { code }),
        ...(param === undefined ? {} : { param }),
        ...(failedGeneration === undefined ? {} : { failed_generation: failedGeneration }),
      },
    },
  }),
  completion: (request, completion, id) =>
    chatBody(request, withReasoning(completion), id, { more: { x_groq: { id: `req_${id}` } } }),
  headers: {
    "x-ratelimit-limit-requests": "14400",
    "x-ratelimit-remaining-requests": "14000",
    "x-ratelimit-reset-requests": "6s",
  },
};

const withReasoning = ({ reasoning, ...completion }: Completion): Completion => ({
  ...completion,
  // Its default is the raw form.
  content: reasoning ? `<think>${reasoning}</think>${completion.content}` : completion.content,
});

const isJson = (text: string) => parseJson(text) !== undefined;

/** Takes response_format on listed models only; ends with "eos". */
export const together: FakeDialect = {
  ...chatCompletions,
  rejection: (request) =>
    request.response_format != null && /mixtral|gemma/i.test(request.model)
      ? {
          status: 400,
          message: `response_format is not supported for ${request.model}`,
          code: "invalid_request",
        }
      : undefined,
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      choice: { finish_reason: completion.finishReason === "stop" ? "eos" : completion.finishReason },
    }),
};

/** JSON mode only; blank lines keep the connection alive. */
export const deepseek: FakeDialect = {
  ...chatCompletions,
  rejection: (request) => {
    if (formatOf(request) === "json_schema")
      return { status: 400, message: "This response_format type is unavailable now" };
    const strange = request.messages.find(
      ({ role }) => !["system", "user", "assistant", "tool"].includes(role),
    );
    if (strange)
      return {
        status: 400,
        message: `Failed to deserialize the JSON body into the target type: messages[0].role: unknown variant \`${strange.role}\`, expected one of \`system\`, \`user\`, \`assistant\`, \`tool\``,
      };
    return needsTheWord(request);
  },
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      more: {
        usage: {
          ...completion.usage,
          prompt_cache_hit_tokens: 0,
          prompt_cache_miss_tokens: completion.usage.prompt_tokens,
        },
      },
    }),
  keepAlive: "\n\n\n",
};

const MISTRAL_FIELDS = new Set(
  "model messages max_tokens temperature top_p stop random_seed stream response_format tools tool_choice n prediction safe_prompt presence_penalty frequency_penalty".split(
    " ",
  ),
);

/** Every unknown field is an error, in an envelope of its own. */
export const mistral: FakeDialect = {
  ...chatCompletions,
  rejection: (request) => {
    const extra = Object.keys(request).find((name) => !MISTRAL_FIELDS.has(name));
    return extra
      ? { status: 422, message: "Extra inputs are not permitted", type: "extra_forbidden", param: extra }
      : undefined;
  },
  error: ({ status, message, type = "invalid_request_error", param }) => ({
    status,
    body:
      status === 422
        ? {
            object: "error",
            message: { detail: [{ type, loc: ["body", param], msg: message }] },
            type,
            param: null,
            code: null,
          }
        : { object: "error", message, type, param: null, code: status === 429 ? "1300" : null },
  }),
  completion: (request, { reasoning, ...completion }, id) =>
    chatBody(request, completion, id, {
      message: reasoning
        ? {
            content: [
              { type: "thinking", thinking: [{ type: "text", text: reasoning }] },
              { type: "text", text: completion.content },
            ],
          }
        : {},
      choice: {
        finish_reason: completion.finishReason === "length" ? "model_length" : completion.finishReason,
      },
    }),
};

/** Two texts for an error, and reasoning tokens beside the completion's. */
export const xai: FakeDialect = {
  ...chatCompletions,
  rejection: (request: ChatRequest) => {
    const refused = ["presence_penalty", "frequency_penalty", "stop", "reasoning_effort"].find(
      (name) => request[name] != null,
    );
    const camel = refused?.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    return camel && /^grok-4/.test(request.model)
      ? { status: 400, message: `Model ${request.model} does not support parameter ${camel}.` }
      : undefined;
  },
  error: ({ status, message }) => ({
    status,
    body: { code: "Client specified an invalid argument", error: message },
  }),
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      more: {
        usage: {
          ...completion.usage,
          completion_tokens_details: { reasoning_tokens: completion.reasoning ? 50 : 0 },
        },
      },
    }),
};
