import type { Clock } from "../clock.ts";
import type { EventBody } from "../events.ts";
import { type Model, ModelError, type ModelReply, type ModelRequest, type ModelUsage } from "../model.ts";
import type { RetryRules } from "../options.ts";
import type { Spending } from "./budget.ts";

/** What came of one call. A call that failed said nothing; it is never a red flag. */
export type Asked =
  | { readonly kind: "reply"; readonly call: number; readonly reply: ModelReply }
  /** `fatal`: asking again will not help. */
  | { readonly kind: "failed"; readonly call: number; readonly error: Error; readonly fatal: boolean }
  /** Out of budget, cancelled, or not needed any more. */
  | { readonly kind: "stopped" };

export interface Sampler {
  /** One call, retried on transport errors. Never rejects. */
  ask(request: ModelRequest, signal?: AbortSignal): Promise<Asked>;
  /** Failed attempts so far, each retry counted. */
  readonly transportErrors: number;
  /** What the last call that failed said, while none has been answered since. */
  readonly trouble: string | undefined;
  /** When the provider of that call takes calls again, where it said so. */
  readonly retryAfterMs: number | undefined;
  /** The models that really answered, where their providers say so. */
  readonly answeredBy: ReadonlySet<string>;
  /** Resolves when no call is under way. */
  idle(): Promise<void>;
}

export interface SamplerEdges {
  readonly model: Model;
  readonly spending: Spending;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryRules;
  readonly emit: (event: EventBody) => void;
}

export const DEFAULT_RETRY: RetryRules = { attempts: 4, total: 20, baseMs: 500, maxMs: 30_000 };

export function createSampler({ model, spending, clock, random, retry, emit }: SamplerEdges): Sampler {
  const underWay = new Set<Promise<Asked>>();
  const answeredBy = new Set<string>();
  let calls = 0;
  let errors = 0;
  let errorsInARow = 0;
  let trouble: string | undefined;
  let retryAfterMs: number | undefined;
  return {
    ask(request, signal) {
      const asked = ask(request, signal ? AbortSignal.any([spending.signal, signal]) : spending.signal);
      underWay.add(asked);
      const forget = () => underWay.delete(asked);
      asked.then(forget, forget);
      return asked;
    },
    get transportErrors() {
      return errors;
    },
    get trouble() {
      return trouble;
    },
    get retryAfterMs() {
      return retryAfterMs;
    },
    answeredBy,
    async idle() {
      await Promise.allSettled(underWay);
    },
  };

  async function ask(request: ModelRequest, signal: AbortSignal): Promise<Asked> {
    if (signal.aborted || !spending.startCall()) return { kind: "stopped" };
    const call = ++calls;
    emit({
      type: "call.started",
      call,
      purpose: request.purpose,
      model: request.model,
      temperature: request.temperature,
    });
    for (let attempt = 1; ; attempt++) {
      try {
        const reply = await orAborted(model, request, signal);
        return finish(call, request, reply);
      } catch (thrown) {
        if (signal.aborted) return abort(call);
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        errors += 1 + retriesOf(error);
        errorsInARow++;
        trouble = error.message;
        retryAfterMs = wantedDelay(error);
        const delay = delayBefore(attempt, error);
        if (delay === undefined) {
          emit({ type: "call.failed", call, error: error.message });
          return { kind: "failed", call, error, fatal: !isRetryable(error) || isHopeless(error) };
        }
        emit({ type: "call.retried", call, attempt, delay_ms: Math.round(delay), error: error.message });
        await clock.sleep(delay, signal).catch(() => {});
        if (signal.aborted) return abort(call);
      }
    }
  }

  function finish(call: number, { model: asked }: ModelRequest, answered: ModelReply): Asked {
    const reply = { ...answered, usage: counted(answered.usage) };
    const { usage, finishReason, latencyMs } = reply;
    emit({
      type: "call.finished",
      call,
      finish_reason: finishReason,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      latency_ms: latencyMs,
    });
    errors += isAmount(answered.retries) ? answered.retries : 0;
    errorsInARow = 0;
    trouble = undefined;
    retryAfterMs = undefined;
    spending.finishCall(asked, usage);
    if (reply.model !== undefined) answeredBy.add(reply.model);
    return { kind: "reply", call, reply };
  }

  function abort(call: number): Asked {
    spending.abortCall();
    emit({ type: "call.aborted", call });
    return { kind: "stopped" };
  }

  /** Full jitter on an exponential step, or what the provider asked for; undefined gives up. */
  function delayBefore(attempt: number, error: Error): number | undefined {
    if (!isRetryable(error) || attempt >= retry.attempts || isHopeless(error)) return undefined;
    return (
      wantedDelay(error) ?? Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
    );
  }

  /** Nothing but errors for long (many calls may fail together once), or a provider that wants to be left alone. */
  function isHopeless(error: Error): boolean {
    return (
      errorsInARow >= Math.max(retry.total, 2 * underWay.size) || (wantedDelay(error) ?? 0) > retry.maxMs
    );
  }
}

/** Adapters count as their providers do; no budget may hang on what is no number. */
function counted({ inputTokens, outputTokens, reasoningTokens, costUsd }: ModelUsage): ModelUsage {
  return {
    inputTokens: isAmount(inputTokens) ? inputTokens : 0,
    outputTokens: isAmount(outputTokens) ? outputTokens : 0,
    ...(isAmount(reasoningTokens) ? { reasoningTokens } : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
  };
}

const isAmount = (value: number | undefined): value is number =>
  value !== undefined && value >= 0 && value <= MOST_CREDIBLE;

/** Of tokens or dollars in one call; the sum of many stays a number one can count with. */
const MOST_CREDIBLE = 1e12;

const wantedDelay = (error: Error) =>
  error instanceof ModelError && !Number.isNaN(error.retryAfterMs) ? error.retryAfterMs : undefined;
const retriesOf = (error: Error) =>
  error instanceof ModelError && isAmount(error.retries) ? error.retries : 0;
const isRetryable = (error: Error) => !(error instanceof ModelError) || error.retryable;

/** Does not wait for a model that ignores its signal. */
async function orAborted(model: Model, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([model.complete(request, signal), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
