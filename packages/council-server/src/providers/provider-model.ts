import { setImmediate as nextTurn } from "node:timers/promises";
import { APICallError } from "@ai-sdk/provider";
import {
  type AnswerSchema,
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ToolCall,
  type ToolDefinition,
} from "@mci-ts/council";
import { jsonOrText } from "@mci-ts/primitives/parse-json";
import { callForAgent } from "./agents/agent-call.ts";
import { type Capabilities, isStrict, type Parameter, type RequestShape } from "./capabilities.ts";
import { readErrorBody } from "./errors/error-body.ts";
import { toModelError } from "./errors/model-error.ts";
import { holdAfter } from "./errors/rate-limit-headers.ts";
import { mapTexts } from "./errors/redact.ts";
import { refusedParameter } from "./errors/refused-parameter.ts";
import { StaleConnectionError } from "./fetch.ts";
import { finishReason } from "./finish-reason.ts";
import { usageOf } from "./generated-usage.ts";
import { ENDPOINT, type LanguageModel } from "./language-model.ts";
import type { LimitedRun } from "./limiter.ts";
import { toPrompt } from "./prompt.ts";
import type { Target } from "./sdk.ts";

type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

export interface ProviderOptions {
  /** Where a model id leads; throws `ModelError` for an id that has no provider. */
  readonly resolve: (id: string) => Target;
  readonly capabilities: Capabilities;
  /** Longest time one call may take, waiting for its turn left out. */
  readonly callTimeoutMs: number;
  /** Keys that must not appear in an error message or a reply. */
  readonly secrets: readonly string[];
  /** Takes them out of what models write: made once, as it depends on nothing else. */
  readonly redact: (text: string) => string;
}

/**
 * The engine's port, served by the AI SDK, for one run: one call per request, the signal reaches the socket. Only what never reached
 * the model is sent again here: a call refused for load, a parameter the endpoint does not take, a connection that was gone.
 */
export function providerModel(options: ProviderOptions, run: LimitedRun = {}): Model {
  let starting: Promise<unknown> = Promise.resolve();
  return {
    async complete(request, signal) {
      // Writing a long request takes milliseconds: those of many seats that start together take turns.
      starting = starting.then(() => nextTurn());
      await starting;
      signal.throwIfAborted();
      const target = options.resolve(request.model);
      let stale = 0;
      const attempt = () => generateWithFallbacks(options, target, request, signal, () => stale++);
      try {
        const { value, retries } = await target.limiter.call(run, signal, attempt);
        return { ...value, retries: retries + stale };
      } catch (error) {
        if (error instanceof ModelError && stale > 0) {
          throw new ModelError(error.message, { ...error, retries: (error.retries ?? 0) + stale });
        }
        throw error;
      }
    },
  };
}

/** What the model wrote, without our keys: from here it goes into votes, events, records and responses. */
function withoutKeys({ sent, ...reply }: ModelReply, redact: (text: string) => string): ModelReply {
  return { ...mapTexts(reply, redact), ...(sent === undefined ? {} : { sent }) };
}

/** One call; again without whatever the endpoint refuses before any work, once per rung of each ladder. */
async function generateWithFallbacks(
  { capabilities, callTimeoutMs, secrets, redact }: ProviderOptions,
  target: Target,
  request: ModelRequest,
  signal: AbortSignal,
  onStale: () => void,
): Promise<ModelReply> {
  const { key, dialect } = target;
  const limit = new AbortController();
  const stop = () => limit.abort(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => limit.abort(), callTimeoutMs);
  let shape = capabilities.shapeOf(key, request, dialect);
  const refusals = new Set<Parameter>();
  let isStale = false;
  try {
    for (;;) {
      try {
        const written = await (request.conversation
          ? callForAgent(target, request, shape, { signal: limit.signal, redact })
          : generate(target, request, shape, limit.signal));
        const reply = withoutKeys(written, redact);
        capabilities.learn(key, request, shape, refusals);
        // With tools, the schema was not sent as such.
        if (!reply.toolCalls && !request.conversation) capabilities.observe(key, request, shape, reply);
        return reply;
      } catch (error) {
        signal.throwIfAborted();
        if (limit.signal.aborted) {
          throw new ModelError(`${request.model} did not answer within ${callTimeoutMs} ms`, {
            retryable: true,
          });
        }
        if (!isStale && causedByStaleConnection(error)) {
          isStale = true;
          onStale();
          continue;
        }
        const withheld = replyInError(error);
        if (withheld) {
          // The model was at work: what was refused before is not what it fails on.
          if (withheld.finishReason === "invalid_output") capabilities.learn(key, request, shape, refusals);
          capabilities.observe(key, request, shape, withheld);
          return withoutKeys(withheld, redact);
        }
        const refused = refusedParameter(error, request, { shape, dialect });
        const next = refused && capabilities.stepDown(shape, refused.parameter, dialect);
        if (!next) throw toModelError(error, { model: request.model, dialect, secrets });
        if (refused.certain) refusals.add(refused.parameter);
        shape = next;
      }
    }
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", stop);
  }
}

/** The SDK wraps what fetch throws. */
const causedByStaleConnection = (error: unknown) =>
  error instanceof Error &&
  (error instanceof StaleConnectionError || error.cause instanceof StaleConnectionError);

async function generate(
  target: Target,
  request: ModelRequest,
  accepted: RequestShape,
  signal: AbortSignal,
): Promise<ModelReply> {
  const { dialect } = target;
  const tools = accepted.tools && request.tools?.length ? request.tools : undefined;
  // Few providers take tools and a response format at once: the form of the answer then stands in the prompt.
  const shape: RequestShape = tools ? { ...accepted, structured: "prompt" } : accepted;
  const { schema, temperature, maxOutputTokens, reasoningEffort } = request;
  const effort = shape.reasoning ? reasoningEffort : undefined;
  const started = performance.now();
  const prompt = toPrompt(request, shape);
  // The model object itself: what the SDK wraps around it (retries, telemetry, tool loops) is our engine's business.
  const result = await target.generate({
    prompt,
    ...(tools ? { tools: tools.map(toSdkTool), toolChoice: { type: "auto" } } : {}),
    ...(shape.temperature ? { temperature } : {}),
    ...(shape.tokenLimit === "max_tokens" ? { maxOutputTokens } : {}),
    ...(schema && shape.structured !== "prompt"
      ? { responseFormat: responseFormat(schema, shape, dialect.refusedKeywords) }
      : {}),
    ...(effort !== undefined && dialect.api !== "chat_completions" ? { reasoning: effort } : {}),
    providerOptions: {
      openaiCompatible: { strictJsonSchema: isStrict(schema?.jsonSchema) },
      [ENDPOINT]: {
        ...(shape.tokenLimit === "max_completion_tokens" ? { max_completion_tokens: maxOutputTokens } : {}),
        ...(effort === undefined ? {} : (dialect.reasoningField(effort) as Record<string, never>)),
      },
    },
    abortSignal: signal,
  });
  const latencyMs = performance.now() - started;
  const { headers: received = {}, body } = result.response ?? {};
  const headers = { get: (name: string) => received[name] };
  target.recognise(headers, body);
  const ending = finishReason(result.finishReason, dialect);
  if (ending === "failed") {
    throw new ModelError(`${request.model}: the generation broke off (${result.finishReason.raw})`, {
      retryable: true,
    });
  }
  const usage = usageOf(result, dialect.reasoningBesideCompletion ?? false);
  const holdMs = holdAfter(headers, usage.inputTokens + usage.outputTokens);
  if (holdMs > 0) target.limiter.hold(holdMs);
  const reasoning = reasoningOf(result);
  return {
    text: textOf(result),
    ...(reasoning === "" ? {} : { reasoning }),
    sent: { prompt, parameters: sentParameters(shape, effort) },
    ...(tools ? { toolCalls: toolCallsOf(result) } : {}),
    ...(request.tools?.length && !tools ? { toolsRefused: true } : {}),
    finishReason: ending,
    usage,
    latencyMs,
    ...(result.response?.modelId === undefined ? {} : { model: result.response.modelId }),
  };
}

/**
 * Two errors are replies: the provider rejected what its model wrote as no valid JSON, or its filter withheld prompt or answer. Both
 * are red flags, and neither a failure of the transport.
 */
function replyInError(error: unknown): ModelReply | undefined {
  if (!APICallError.isInstance(error) || error.statusCode === undefined || error.statusCode >= 500)
    return undefined;
  const { code, message, failedGeneration } = readErrorBody(error.responseBody ?? "");
  const reply = { usage: { inputTokens: 0, outputTokens: 0 }, latencyMs: 0 };
  if (code === "tool_use_failed")
    return { ...reply, text: failedGeneration ?? "", finishReason: "invalid_output" };
  if (code === "json_validate_failed" || (failedGeneration !== undefined && /json/i.test(message)))
    return { ...reply, text: failedGeneration ?? "", finishReason: "invalid_output" };
  if (code === "content_filter" || code === "content_policy_violation")
    return { ...reply, text: "", finishReason: "content_filter" };
  return undefined;
}

/** Whether the answer is well-formed is for the engine to judge: the text is passed on as it was written. */
function responseFormat(
  { name, jsonSchema: plain, bounded }: AnswerSchema,
  { structured, bounds }: RequestShape,
  refusedKeywords: readonly string[],
): Parameters<LanguageModel["doGenerate"]>[0]["responseFormat"] {
  if (structured === "json_object") return { type: "json" };
  const jsonSchema = bounds ? (bounded ?? plain) : plain;
  return { type: "json", name, schema: without(jsonSchema, refusedKeywords) as typeof jsonSchema };
}

function without(schema: unknown, keywords: readonly string[], isProperties = false): unknown {
  if (keywords.length === 0 || typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map((item) => without(item, keywords));
  const kept = Object.entries(schema).filter(([name]) => isProperties || !keywords.includes(name));
  // Below "properties" the keys are names that a schema's author chose.
  return Object.fromEntries(
    kept.map(([name, value]) => [name, without(value, keywords, !isProperties && name === "properties")]),
  );
}

const toSdkTool = ({ name, description, inputSchema }: ToolDefinition) => ({
  type: "function" as const,
  name,
  description,
  inputSchema: inputSchema as never,
});

function toolCallsOf({ content }: Generated): readonly ToolCall[] {
  return content.flatMap((part) =>
    part.type === "tool-call"
      ? [
          {
            id: part.toolCallId,
            name: part.toolName,
            input: parsedInput(part.input),
            ...(part.providerMetadata === undefined ? {} : { metadata: part.providerMetadata }),
          },
        ]
      : [],
  );
}

/** Arguments that are not JSON are for the tool to refuse; the model then sees why. */
const parsedInput = (text: string): unknown => (text.trim() === "" ? {} : jsonOrText(text));

const reasoningOf = ({ content }: Generated) =>
  content.map((part) => (part.type === "reasoning" ? part.text : "")).join("");

/** What the endpoint was really sent of the settings, for the record of the call. */
const sentParameters = (shape: RequestShape, effort: string | undefined) => ({
  temperature: shape.temperature,
  token_limit: shape.tokenLimit,
  structured: shape.structured,
  ...(effort === undefined ? {} : { reasoning_effort: effort }),
});

/** Some providers write drafts and say which text is the answer. */
function textOf({ structuredOutputText, content }: Generated): string {
  return structuredOutputText ?? content.map((part) => (part.type === "text" ? part.text : "")).join("");
}
