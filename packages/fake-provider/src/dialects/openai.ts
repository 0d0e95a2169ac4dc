import type { ChatRequest } from "../chat-request.ts";
import { chatBody, chatCompletions, formatOf, needsTheWord, strictProblem } from "./chat-completions.ts";
import type { FakeDialect, ProviderError } from "./dialect.ts";

const FIELDS = new Set(
  "model messages max_tokens max_completion_tokens temperature top_p n stop seed stream stream_options response_format reasoning_effort user tools tool_choice parallel_tool_calls metadata store prompt_cache_key service_tier safety_identifier include reasoning truncation logprobs presence_penalty frequency_penalty verbosity".split(
    " ",
  ),
);
const isReasoning = ({ model }: ChatRequest) => /^(o\d|gpt-5)/.test(model);

function errorFor(request: ChatRequest): ProviderError | undefined {
  const unknown = Object.keys(request).find((name) => !FIELDS.has(name));
  if (unknown) return { status: 400, message: `Unrecognized request argument supplied: ${unknown}` };
  if (isReasoning(request)) {
    if (request.max_tokens != null)
      return {
        status: 400,
        message:
          "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
        param: "max_tokens",
        code: "unsupported_parameter",
      };
    if (request.temperature != null && request.temperature !== 1)
      return {
        status: 400,
        message: `Unsupported value: 'temperature' does not support ${request.temperature} with this model. Only the default (1) value is supported.`,
        param: "temperature",
        code: "unsupported_value",
      };
    if (/^o1-(mini|preview)/.test(request.model) && request.messages[0]?.role === "system")
      return {
        status: 400,
        message: "Unsupported value: 'messages[0].role' does not support 'system' with this model.",
        param: "messages[0].role",
        code: "unsupported_value",
      };
  } else if (request["reasoning_effort"] != null)
    return {
      status: 400,
      message: "Unrecognized request argument supplied: reasoning_effort",
    };
  if (formatOf(request) === "json_schema" && /^(gpt-3\.5|gpt-4-|o1-(mini|preview))/.test(request.model))
    return {
      status: 400,
      message: "Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.",
      param: "response_format",
    };
  const { json_schema } = request.response_format ?? {};
  const problem = json_schema?.["strict"] ? strictProblem(json_schema.schema) : undefined;
  if (problem)
    return {
      status: 400,
      message: `Invalid schema for response_format '${json_schema?.["name"]}': ${problem}`,
      param: "response_format",
    };
  return needsTheWord(request);
}

export const openai: FakeDialect = { ...chatCompletions, rejection: errorFor };

const DEPLOYMENT = /\/openai\/deployments\/([^/]+)\/chat\/completions$/;

/** Deployments at versioned addresses, or the newer `/openai/v1`; filters speak in errors and in every response. */
export const azure: FakeDialect = {
  ...chatCompletions,
  match: ({ pathname }) => {
    const deployment = DEPLOYMENT.exec(pathname)?.[1];
    if (deployment) return { model: decodeURIComponent(deployment) };
    return pathname.endsWith("/openai/v1/chat/completions") ? {} : undefined;
  },
  isAuthorised: (headers, key) => headers["api-key"] === key,
  read: (body, model) => (model === undefined ? body : { ...body, model }),
  rejection: (request, url) => {
    const version = url.searchParams.get("api-version");
    const isDeployment = DEPLOYMENT.test(url.pathname);
    if (isDeployment && version === null) return { status: 404, message: "Resource not found", code: "404" };
    if (isDeployment && version! < "2024-09" && request["max_completion_tokens"] != null)
      return { status: 400, message: "Unrecognized request argument supplied: max_completion_tokens" };
    if (isDeployment && version! < "2024-08" && formatOf(request) === "json_schema")
      return {
        status: 400,
        message:
          "response_format value as json_schema is enabled only for api versions 2024-08-01-preview and later",
      };
    return errorFor(request);
  },
  reject: (_, { finishReason, content }) =>
    finishReason === "content_filter" && content === ""
      ? {
          status: 400,
          message:
            "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
          param: "prompt",
          code: "content_filter",
        }
      : undefined,
  completion: (request, completion, id) =>
    chatBody(request, completion, id, {
      more: { prompt_filter_results: [{ prompt_index: 0, content_filter_results: {} }] },
    }),
};
