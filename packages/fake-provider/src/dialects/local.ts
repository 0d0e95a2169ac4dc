import type { ChatRequest } from "../chat-request.ts";
import { chatBody, chatCompletions, formatOf } from "./chat-completions.ts";
import type { FakeDialect } from "./dialect.ts";

/** Gemma's chat template has no system role. */
const lacksSystemRole = (request: ChatRequest) =>
  /gemma/i.test(request.model) && request.messages.some(({ role }) => role === "system");

const reasoningField = (reasoning: string | undefined) =>
  reasoning ? { reasoning, reasoning_content: undefined } : {};

/** Ignores what it does not know; xgrammar refuses a few keywords. */
export const vllm: FakeDialect = {
  ...chatCompletions,
  rejection: (request) => {
    if (lacksSystemRole(request))
      return { status: 400, message: "System role not supported", type: "BadRequestError" };
    const keyword = /"(multipleOf|uniqueItems|contains|patternProperties|propertyNames)":/.exec(
      JSON.stringify(request.response_format ?? {}),
    )?.[1];
    return keyword
      ? { status: 400, message: `Grammar error: Unimplemented keys: ["${keyword}"]`, type: "BadRequestError" }
      : undefined;
  },
  error: ({ status, message, type = "BadRequestError", param = null }) => ({
    status,
    body: { error: { message, type, param, code: status } },
  }),
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      message: reasoningField(completion.reasoning),
      more: { prompt_logprobs: null, kv_transfer_params: null },
    }),
};

/** A template's exception is HTTP 500. */
export const llamacpp: FakeDialect = {
  ...chatCompletions,
  rejection: (request) => {
    if (lacksSystemRole(request))
      return { status: 500, message: "Jinja Exception: System role not supported", type: "server_error" };
    const format = formatOf(request);
    return format === undefined || ["text", "json_object", "json_schema"].includes(format)
      ? undefined
      : {
          status: 400,
          message: `response_format type must be one of "text" or "json_object", but got: ${format}`,
        };
  },
  error: ({ status, message, type = "invalid_request_error" }) => ({
    status,
    body: { error: { code: status, message, type } },
  }),
  completion: (request, completion, id) =>
    chatBody(request, completion, id, { more: { timings: { predicted_n: 1 } } }),
  headers: { server: "llama.cpp" },
};

/** Ignores what it does not know, `max_completion_tokens` included. */
export const ollama: FakeDialect = {
  ...chatCompletions,
  error: ({ status, message, type = "api_error" }) => ({
    status,
    body: { error: { message, type, param: null, code: null } },
  }),
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      message: reasoningField(completion.reasoning),
      more: { system_fingerprint: "fp_ollama" },
    }),
};

/** A schema or text, no JSON mode. */
export const lmstudio: FakeDialect = {
  ...chatCompletions,
  rejection: (request) =>
    formatOf(request) === "json_object"
      ? { status: 400, message: "'response_format.type' must be 'json_schema' or 'text'" }
      : undefined,
  error: ({ status, message }) => ({ status, body: { error: message } }),
};
