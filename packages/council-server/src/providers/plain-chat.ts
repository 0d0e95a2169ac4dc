import { AsyncLocalStorage } from "node:async_hooks";
import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { ENDPOINT, type LanguageModel, type Wire } from "./language-model.ts";

type Generate = LanguageModel["doGenerate"];
type Options = Parameters<Generate>[0];
type Generated = Awaited<ReturnType<Generate>>;

/**
 * Chat completions without the SDK where text is asked and text comes back, which is nearly every vote: checking options, request and
 * reply against its schemas takes a fifth of the processor time of a call. Everything else is the SDK's: it gets the
 * response that came, so that nothing is asked twice.
 */
export function plainChat(model: LanguageModel, wire: Wire): Generate {
  const headers = { "content-type": "application/json", "user-agent": "mci-council", ...wire.headers };
  return async (options) => {
    const body = plainBody(wire.model, options);
    if (body === undefined) return model.doGenerate(options);
    const init = {
      method: "POST",
      headers,
      body,
      ...(options.abortSignal ? { signal: options.abortSignal } : {}),
    };
    const sent = wire.fetch(wire.url, init);
    const response = await sent.catch(() => undefined);
    const reply = response?.ok ? readPlain(response, await response.text()) : undefined;
    return reply ?? replies.run(sent, () => model.doGenerate(options));
  };
}

/** The response to a call that the SDK makes in this context. */
const replies = new AsyncLocalStorage<Promise<Response>>();

/** The `fetch` of an SDK model that `plainChat` calls. */
export const replayingFetch =
  (fetch: Wire["fetch"]): Wire["fetch"] =>
  (input, init) =>
    replies.getStore() ?? fetch(input, init);

/** As the SDK writes it, word for word. undefined: it holds more than text. */
export function plainBody(model: string, options: Options): string | undefined {
  const { prompt, maxOutputTokens, temperature, responseFormat, providerOptions, tools, reasoning } = options;
  if (tools !== undefined || reasoning !== undefined) return undefined;
  const messages = prompt.map(plainMessage);
  if (messages.includes(undefined)) return undefined;
  const { strictJsonSchema = true } = providerOptions?.["openaiCompatible"] ?? {};
  return JSON.stringify({
    model,
    max_tokens: maxOutputTokens,
    temperature,
    response_format: responseFormat?.type === "json" ? formatOf(responseFormat, strictJsonSchema) : undefined,
    ...providerOptions?.[ENDPOINT],
    messages,
  });
}

type JsonFormat = Extract<Options["responseFormat"], { type: "json" }>;

const formatOf = ({ schema, name = "response" }: JsonFormat, strict: unknown) =>
  schema === undefined
    ? { type: "json_object" }
    : { type: "json_schema", json_schema: { schema, strict, name } };

function plainMessage({ role, content }: Options["prompt"][number]) {
  if (role === "system") return { role, content };
  const [part] = content;
  if (role === "tool" || content.length !== 1 || part?.type !== "text") return undefined;
  return { role, content: part.text };
}

/** undefined: it is not a reply of text only, or not what the protocol says. */
function readPlain({ headers }: Response, text: string): Generated | undefined {
  const body = parseJson(text);
  if (!isObject(body) || !Array.isArray(body["choices"]) || body["choices"].length !== 1) return undefined;
  const { id, model, created, usage } = body;
  const [choice] = body["choices"] as [unknown];
  const message = isObject(choice) ? choice["message"] : undefined;
  if (!isObject(choice) || !isObject(message)) return undefined;
  const { role, content, refusal, reasoning_content, reasoning, tool_calls } = message;
  const raw = choice["finish_reason"];
  const isPlain =
    (role == null || role === "assistant") &&
    [id, model, content, reasoning_content, reasoning, raw].every(isTextOrNothing) &&
    (created == null || typeof created === "number") &&
    tool_calls == null &&
    (typeof refusal !== "string" || refusal === "") &&
    (usage == null || isUsage(usage));
  if (!isPlain) return undefined;
  const thoughts = (reasoning_content ?? reasoning) as string | null | undefined;
  return {
    content: [
      ...(thoughts ? [{ type: "reasoning" as const, text: thoughts }] : []),
      ...(content ? [{ type: "text" as const, text: content as string }] : []),
    ],
    finishReason: { unified: FINISH[raw as string] ?? "other", raw: (raw as string | null) ?? undefined },
    usage: usageOf(usage as Usage | null | undefined),
    response: {
      ...(model == null ? {} : { modelId: model as string }),
      headers: Object.fromEntries(headers),
      body,
    },
    warnings: [],
  };
}

const isTextOrNothing = (value: unknown) => value == null || typeof value === "string";
const isCountOrNothing = (value: unknown) => value == null || typeof value === "number";

const FINISH: Readonly<Record<string, Generated["finishReason"]["unified"]>> = Object.assign(
  Object.create(null),
  {
    stop: "stop",
    length: "length",
    content_filter: "content-filter",
    function_call: "tool-calls",
    tool_calls: "tool-calls",
  },
);

interface Usage {
  readonly prompt_tokens?: number | null;
  readonly completion_tokens?: number | null;
  readonly prompt_tokens_details?: { readonly cached_tokens?: number | null } | null;
  readonly completion_tokens_details?: { readonly reasoning_tokens?: number | null } | null;
}

/** Predicted tokens are the SDK's to count. */
function isUsage(usage: unknown): boolean {
  if (!isObject(usage)) return false;
  const { prompt_tokens, completion_tokens, total_tokens } = usage;
  const cached = usage["prompt_tokens_details"];
  const written = usage["completion_tokens_details"];
  return (
    [prompt_tokens, completion_tokens, total_tokens].every(isCountOrNothing) &&
    (cached == null || (isObject(cached) && isCountOrNothing(cached["cached_tokens"]))) &&
    (written == null ||
      (isObject(written) &&
        isCountOrNothing(written["reasoning_tokens"]) &&
        isCountOrNothing(written["accepted_prediction_tokens"]) &&
        isCountOrNothing(written["rejected_prediction_tokens"])))
  );
}

function usageOf(usage: Usage | null | undefined): Generated["usage"] {
  if (usage == null) return UNKNOWN;
  const input = usage.prompt_tokens ?? 0;
  const output = usage.completion_tokens ?? 0;
  const cacheRead = usage.prompt_tokens_details?.cached_tokens ?? 0;
  const reasoning = usage.completion_tokens_details?.reasoning_tokens ?? 0;
  return {
    inputTokens: { total: input, noCache: input - cacheRead, cacheRead, cacheWrite: undefined },
    outputTokens: { total: output, text: Math.max(0, output - reasoning), reasoning },
    raw: usage as never,
  };
}

const UNKNOWN: Generated["usage"] = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};
