import type { ChatRequest } from "../chat-request.ts";
import type { CalledTool, Completion } from "../completion.ts";
import type { FakeDialect, ProviderError } from "./dialect.ts";

/** Chat completions as OpenAI describes them, taking everything: the base of all compatible dialects. */
export const chatCompletions: FakeDialect = {
  match: ({ pathname }) => (pathname.endsWith("/chat/completions") ? {} : undefined),
  isAuthorised: ({ authorization }, key) => authorization === `Bearer ${key}`,
  read: (body) => body,
  rejection: () => undefined,
  reject: () => undefined,
  error: ({ status, message, type = "invalid_request_error", code = null, param = null }) => ({
    status,
    body: { error: { message, type, param, code } },
  }),
  completion: (request, completion, id) => chatBody(request, completion, id),
  headers: {},
  keepAlive: "",
};

/** A chat completion; `message` and `more` are what a dialect adds. */
export function chatBody(
  request: ChatRequest,
  completion: Completion,
  id: string,
  { message = {}, choice = {}, more = {} }: { message?: object; choice?: object; more?: object } = {},
): Record<string, unknown> {
  const { content, refusal, reasoning, toolCalls, finishReason, usage } = completion;
  return {
    id,
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model: request.model,
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content,
          refusal: refusal ?? null,
          ...(reasoning ? { reasoning_content: reasoning } : {}),
          ...(toolCalls ? { content: null, tool_calls: functionCalls(id, toolCalls) } : {}),
          ...message,
        },
        finish_reason: finishReason,
        ...choice,
      },
    ],
    usage,
    ...more,
  };
}

export const functionCalls = (id: string, calls: readonly CalledTool[]) =>
  calls.map(({ tool, text }, i) => ({
    id: `call_${id}${i === 0 ? "" : `_${i}`}`,
    type: "function",
    function: { name: tool, arguments: text },
  }));

export const formatOf = (request: ChatRequest) => request.response_format?.type;

/** JSON mode that refuses a prompt which does not speak of JSON. */
export function needsTheWord(request: ChatRequest): ProviderError | undefined {
  if (formatOf(request) !== "json_object" || /json/i.test(JSON.stringify(request.messages))) return undefined;
  return {
    status: 400,
    message:
      "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'.",
    param: "messages",
  };
}

/** Whether every object of a schema requires all its properties and allows no others, as strict modes demand. */
export function strictProblem(schema: unknown, path = "root"): string | undefined {
  if (typeof schema !== "object" || schema === null) return undefined;
  const { properties, required, additionalProperties } = schema as Record<string, unknown>;
  if (typeof properties === "object" && properties !== null) {
    if (additionalProperties !== false)
      return `In ${path}, 'additionalProperties' is required to be supplied and to be false.`;
    const missing = Object.keys(properties).find(
      (name) => !(required as string[] | undefined)?.includes(name),
    );
    if (missing)
      return `In ${path}, 'required' is required to be supplied and to include every key in properties. Missing '${missing}'.`;
  }
  for (const [key, value] of Object.entries(schema)) {
    const problem = strictProblem(value, `${path}.${key}`);
    if (problem) return problem;
  }
  return undefined;
}
