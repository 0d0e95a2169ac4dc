import { type Model, ModelError, type ModelReply, type ModelRequest } from "@mci-ts/council";
import { generateText, type LanguageModel } from "ai";
import { toModelError } from "./failure.ts";
import { finishReason } from "./finish.ts";
import { jsonOutput, splitMessages } from "./prompt.ts";
import { isStrict, type Quirks } from "./quirks.ts";

export interface ProviderOptions {
  /** The SDK's model for an id; throws `ModelError` for an id nobody serves. */
  readonly resolve: (id: string) => LanguageModel;
  readonly quirks: Quirks;
  /** Longest time one call may take. */
  readonly callTimeoutMs: number;
  /** Keys that must not appear in an error message. */
  readonly secrets: readonly string[];
}

/** The engine's port, served by the AI SDK: one call per request, no retries, the signal reaches the socket. */
export function providerModel({ resolve, quirks, callTimeoutMs, secrets }: ProviderOptions): Model {
  const call = async (request: ModelRequest, signal: AbortSignal): Promise<ModelReply> => {
    const habits = quirks.of(request);
    const started = performance.now();
    const result = await generateText({
      model: resolve(request.model),
      ...splitMessages(request, habits.structured),
      ...(habits.temperature ? { temperature: request.temperature } : {}),
      maxOutputTokens: request.maxOutputTokens,
      ...(request.schema && habits.structured === "schema"
        ? {
            output: jsonOutput(request.schema),
            providerOptions: { openaiCompatible: { strictJsonSchema: isStrict(request.schema.jsonSchema) } },
          }
        : {}),
      maxRetries: 0,
      abortSignal: signal,
    });
    const { usage, rawFinishReason } = result;
    const cost = usage.raw?.["cost"];
    quirks.heard(request, habits, result.text);
    return {
      text: result.text,
      finishReason: finishReason(result.finishReason, rawFinishReason),
      usage: {
        inputTokens: tokens(usage.inputTokens),
        outputTokens: tokens(usage.outputTokens),
        reasoningTokens: tokens(usage.outputTokenDetails.reasoningTokens),
        ...(typeof cost === "number" && Number.isFinite(cost) && cost >= 0 ? { costUsd: cost } : {}),
      },
      latencyMs: performance.now() - started,
      model: result.response.modelId,
    };
  };

  return {
    async complete(request, signal) {
      signal.throwIfAborted();
      const limit = new AbortController();
      const stop = () => limit.abort(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      const timer = setTimeout(() => limit.abort(), callTimeoutMs);
      try {
        for (;;) {
          try {
            return await call(request, limit.signal);
          } catch (error) {
            signal.throwIfAborted();
            if (limit.signal.aborted) {
              throw new ModelError(`${request.model} did not answer within ${callTimeoutMs} ms`, {
                retryable: true,
              });
            }
            // A parameter the endpoint does not know was refused before any work: ask again without it, once per parameter.
            if (!quirks.learn(request, error)) throw toModelError(error, request.model, secrets);
          }
        }
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

/** Providers count as they please; budgets and the history rely on whole numbers that never fall. */
function tokens(counted: number | undefined): number {
  const whole = Math.round(counted ?? 0);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}
