import {
  type AnswerSchema,
  type Model,
  ModelError,
  type ModelReply,
  type ModelRequest,
} from "@mci-ts/council";
import { type Capabilities, isStrict } from "./capabilities.ts";
import { finishReason } from "./finish-reason.ts";
import { toModelError } from "./model-error.ts";
import { toPrompt } from "./prompt.ts";
import { type OptionalParameter, refusedParameter } from "./refused-parameter.ts";
import { ENDPOINT, type LanguageModel } from "./sdk.ts";

type CallOptions = Parameters<LanguageModel["doGenerate"]>[0];
type Generated = Awaited<ReturnType<LanguageModel["doGenerate"]>>;

export interface ProviderOptions {
  /** The SDK's model for an id; throws `ModelError` for an id nobody serves. */
  readonly resolve: (id: string) => LanguageModel;
  readonly capabilities: Capabilities;
  /** Longest time one call may take. */
  readonly callTimeoutMs: number;
  /** Keys that must not appear in an error message. */
  readonly secrets: readonly string[];
}

/** The engine's port, served by the AI SDK: one call per request, no retries, the signal reaches the socket. */
export function providerModel({ resolve, capabilities, callTimeoutMs, secrets }: ProviderOptions): Model {
  const call = async (
    request: ModelRequest,
    without: ReadonlySet<OptionalParameter>,
    signal: AbortSignal,
  ): Promise<ModelReply> => {
    const { schema, temperature, maxOutputTokens } = request;
    const started = performance.now();
    // The model object itself: what the SDK wraps around it (retries, telemetry, tool loops) is our engine's business.
    const result = await resolve(request.model).doGenerate({
      prompt: toPrompt(request, without.has("schema")),
      ...(without.has("temperature") ? {} : { temperature }),
      ...(without.has("max_tokens") ? {} : { maxOutputTokens }),
      ...(schema && !without.has("schema") ? { responseFormat: jsonOf(schema) } : {}),
      providerOptions: {
        openaiCompatible: { strictJsonSchema: isStrict(schema?.jsonSchema) },
        [ENDPOINT]: without.has("max_tokens") ? { max_completion_tokens: maxOutputTokens } : {},
      },
      abortSignal: signal,
    });
    const { usage } = result;
    const cost = usage.raw?.["cost"];
    return {
      text: textOf(result),
      finishReason: finishReason(result.finishReason),
      usage: {
        inputTokens: tokens(usage.inputTokens.total),
        outputTokens: tokens(usage.outputTokens.total),
        reasoningTokens: tokens(usage.outputTokens.reasoning),
        ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
      },
      latencyMs: performance.now() - started,
      ...(result.response?.modelId === undefined ? {} : { model: result.response.modelId }),
    };
  };

  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      const refused: OptionalParameter[] = [];
      const limit = new AbortController();
      const stop = () => limit.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      const timer = setTimeout(() => limit.abort(), callTimeoutMs);
      try {
        const without = new Set(capabilities.of(request));
        for (;;) {
          try {
            const reply = await call(request, without, limit.signal);
            capabilities.learn(request, refused);
            capabilities.observe(request, without, reply);
            return reply;
          } catch (error) {
            signal.throwIfAborted();
            if (limit.signal.aborted) {
              throw new ModelError(`${request.model} did not answer within ${callTimeoutMs} ms`, {
                retryable: true,
              });
            }
            // A parameter the endpoint does not know was refused before any work: ask again without it, once per parameter.
            const parameter = refusedParameter(error, request);
            if (
              parameter === undefined ||
              without.has(parameter) ||
              !capabilities.mayOmit(parameter, request)
            ) {
              throw toModelError(error, request.model, secrets);
            }
            without.add(parameter);
            refused.push(parameter);
          }
        }
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

/** Asks for JSON of a schema. Whether it is well-formed is for the engine to judge: the text is passed on as it was written. */
function jsonOf({ name, jsonSchema }: AnswerSchema): CallOptions["responseFormat"] {
  return { type: "json", name, schema: jsonSchema };
}

/** Some providers write drafts and say which text is the answer. */
function textOf({ structuredOutputText, content }: Generated): string {
  return structuredOutputText ?? content.map((part) => (part.type === "text" ? part.text : "")).join("");
}

/** Providers count as they please; budgets and the history rely on whole numbers that never fall. */
function tokens(counted: number | undefined): number {
  const whole = Math.round(counted ?? 0);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}
