import { chatCompletions } from "./chat-completions.ts";
import type { FakeDialect } from "./dialect.ts";

const STOP = { stop: "STOP", length: "MAX_TOKENS", content_filter: "SAFETY", tool_calls: "STOP" } as const;
interface Part {
  readonly parts?: readonly { readonly text?: string }[];
  readonly role?: string;
}

/** The Gemini API. */
export const google: FakeDialect = {
  ...chatCompletions,
  match: ({ pathname }) => {
    const model = /\/models\/([^/:]+):generateContent$/.exec(pathname)?.[1];
    return model === undefined ? undefined : { model: decodeURIComponent(model) };
  },
  isAuthorised: (headers, key) => headers["x-goog-api-key"] === key,
  read: ({ contents, systemInstruction, generationConfig, tools }, model) => {
    const config = (generationConfig ?? {}) as Record<string, unknown>;
    const schema = config["responseJsonSchema"] ?? config["responseSchema"];
    return {
      model,
      tools,
      messages: [
        ...(systemInstruction ? [{ role: "system", content: (systemInstruction as Part).parts }] : []),
        ...(contents as Part[]).map(({ role = "user", parts }) => ({ role, content: parts })),
      ],
      temperature: config["temperature"],
      max_tokens: config["maxOutputTokens"],
      ...(schema
        ? {
            response_format: {
              type: "json_schema",
              json_schema: { schema, isOpenApi: "responseSchema" in config },
            },
          }
        : config["responseMimeType"] === "application/json"
          ? { response_format: { type: "json_object" } }
          : {}),
    };
  },
  rejection: (request) => {
    if (/gemma/.test(request.model) && request.messages[0]?.role === "system")
      return { status: 400, message: `Developer instruction is not enabled for models/${request.model}` };
    const { json_schema } = request.response_format ?? {};
    if (json_schema?.["isOpenApi"] && JSON.stringify(json_schema.schema).includes('"additionalProperties"'))
      return {
        status: 400,
        message: `Invalid JSON payload received. Unknown name "additionalProperties" at 'generation_config.response_schema': Cannot find field.`,
      };
    return undefined;
  },
  error: ({ status, message, retryAfter }) => ({
    status,
    body: {
      error: {
        code: status,
        message,
        status:
          { 400: "INVALID_ARGUMENT", 429: "RESOURCE_EXHAUSTED", 503: "UNAVAILABLE" }[status] ?? "INTERNAL",
        details:
          retryAfter === undefined
            ? []
            : [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: `${retryAfter}s` }],
      },
    },
  }),
  completion: ({ model }, { content, reasoning, refusal, toolCalls, finishReason, usage }) =>
    refusal
      ? {
          promptFeedback: { blockReason: "SAFETY" },
          usageMetadata: { promptTokenCount: usage.prompt_tokens },
        }
      : {
          modelVersion: model,
          candidates: [
            {
              content: {
                role: "model",
                // Nothing written: no parts at all.
                ...(toolCalls
                  ? {
                      parts: toolCalls.map(({ tool, input }) => ({
                        functionCall: { name: tool, args: input },
                      })),
                    }
                  : content === "" && !reasoning
                    ? {}
                    : {
                        parts: [
                          ...(reasoning ? [{ text: reasoning, thought: true }] : []),
                          { text: content },
                        ],
                      }),
              },
              finishReason: STOP[finishReason],
              index: 0,
            },
          ],
          usageMetadata: {
            promptTokenCount: usage.prompt_tokens,
            candidatesTokenCount: usage.completion_tokens,
            thoughtsTokenCount: reasoning ? 50 : 0,
            totalTokenCount: usage.total_tokens,
          },
        },
};
