import type { Clock } from "../clock.ts";
import type { EventBody } from "../events.ts";
import {
  type Model,
  type ModelCall,
  ModelError,
  type ModelReply,
  type ModelRequest,
  type ModelUsage,
} from "../model.ts";
import type { RetryRules } from "../options.ts";
import type { BudgetTracker } from "./budget.ts";
import type { Speeds } from "./speeds.ts";

/** The result of one call. A failed call brought no reply, so it is never a red flag. */
export type CallResult =
  | { readonly kind: "reply"; readonly call: number; readonly reply: ModelReply }
  /** `fatal`: retrying will not help. */
  | { readonly kind: "failed"; readonly call: number; readonly error: Error; readonly fatal: boolean }
  /** Out of budget, cancelled, or not needed any more. */
  | { readonly kind: "stopped" };

export interface ModelClient {
  /** One call, retried on transport errors. Never rejects. */
  call(request: ModelRequest, signal?: AbortSignal): Promise<CallResult>;
  /** Failed attempts so far, each retry counted. */
  readonly transportErrors: number;
  /** The message of the last failed attempt; cleared by the next reply. */
  readonly lastError: string | undefined;
  /** When the provider of that call takes calls again, where it said so. */
  readonly retryAfterMs: number | undefined;
  /** The models that replied, where their providers name them. */
  readonly respondingModels: ReadonlySet<string>;
  /** Resolves when no call is in flight. */
  idle(): Promise<void>;
}

export interface ModelClientOptions {
  readonly model: Model;
  readonly budget: BudgetTracker;
  readonly clock: Clock;
  readonly random: () => number;
  readonly retry: RetryRules;
  readonly emit: (event: EventBody) => void;
  readonly speeds: Speeds;
  /** Called with each call that is over. What it throws is ignored. Default: none. */
  readonly onCall?: ((call: ModelCall) => void) | undefined;
}

export const DEFAULT_RETRY: RetryRules = { attempts: 4, total: 20, baseMs: 500, maxMs: 30_000 };

export function createModelClient({
  model,
  budget,
  clock,
  random,
  retry,
  emit,
  speeds,
  onCall,
}: ModelClientOptions): ModelClient {
  const inFlight = new Set<Promise<CallResult>>();
  const respondingModels = new Set<string>();
  let calls = 0;
  let errors = 0;
  let errorsInARow = 0;
  let lastError: string | undefined;
  let retryAfterMs: number | undefined;
  return {
    call(request, signal) {
      const linked = signal && linkSignals(budget.signal, signal);
      const result = callModel(request, linked?.signal ?? budget.signal);
      inFlight.add(result);
      const remove = () => {
        inFlight.delete(result);
        linked?.unlink();
      };
      result.then(remove, remove);
      return result;
    },
    get transportErrors() {
      return errors;
    },
    get lastError() {
      return lastError;
    },
    get retryAfterMs() {
      return retryAfterMs;
    },
    respondingModels,
    async idle() {
      await Promise.allSettled(inFlight);
    },
  };

  async function callModel(request: ModelRequest, signal: AbortSignal): Promise<CallResult> {
    if (signal.aborted || !budget.startCall()) return { kind: "stopped" };
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
        const reply = await raceAbort(model, request, signal);
        return finish(call, request, reply, attempt);
      } catch (thrown) {
        if (signal.aborted) return abort(call, request, attempt);
        const error = thrown instanceof Error ? thrown : new Error(String(thrown));
        errors += 1 + retriesOf(error);
        errorsInARow++;
        lastError = error.message;
        retryAfterMs = retryAfter(error);
        const delay = delayBefore(attempt, error);
        if (delay === undefined) {
          emit({ type: "call.failed", call, error: error.message });
          record({ call, request, attempts: attempt, error: error.message });
          return { kind: "failed", call, error, fatal: !isRetryable(error) || shouldGiveUp(error) };
        }
        emit({ type: "call.retried", call, attempt, delay_ms: Math.round(delay), error: error.message });
        await clock.sleep(delay, signal).catch(() => {});
        if (signal.aborted) return abort(call, request, attempt);
      }
    }
  }

  /** Recording a run must not break it. */
  function record(call: ModelCall): void {
    try {
      onCall?.(call);
    } catch {
      // As events are: what watches a call is not part of it.
    }
  }

  function finish(call: number, request: ModelRequest, received: ModelReply, attempts: number): CallResult {
    const { model: requested } = request;
    const reply = { ...received, usage: creditedUsage(received.usage) };
    const { usage, finishReason, latencyMs } = reply;
    const cost = budget.cost(requested, usage);
    emit({
      type: "call.finished",
      call,
      finish_reason: finishReason,
      input_tokens: usage.inputTokens,
      output_tokens: usage.outputTokens,
      latency_ms: latencyMs,
      cost_usd: cost ?? null,
    });
    record({ call, request, attempts, reply, costUsd: cost ?? null });
    speeds.note(requested, usage.outputTokens, latencyMs);
    errors += isAmount(received.retries) ? received.retries : 0;
    errorsInARow = 0;
    lastError = undefined;
    retryAfterMs = undefined;
    budget.finishCall(usage, cost);
    if (reply.model !== undefined) respondingModels.add(reply.model);
    return { kind: "reply", call, reply };
  }

  function abort(call: number, request: ModelRequest, attempts: number): CallResult {
    budget.abortCall();
    emit({ type: "call.aborted", call });
    record({ call, request, attempts, error: "aborted" });
    return { kind: "stopped" };
  }

  /** Full jitter on an exponential step, or what the provider asked for; undefined gives up. */
  function delayBefore(attempt: number, error: Error): number | undefined {
    if (!isRetryable(error) || attempt >= retry.attempts || shouldGiveUp(error)) return undefined;
    return (
      retryAfter(error) ?? Math.min(retry.maxMs, retry.baseMs * 2 ** (attempt - 1)) * (0.5 + random() / 2)
    );
  }

  /** Too many errors in a row (calls in flight together may all fail once), or a Retry-After beyond the longest delay. */
  function shouldGiveUp(error: Error): boolean {
    return errorsInARow >= Math.max(retry.total, 2 * inFlight.size) || (retryAfter(error) ?? 0) > retry.maxMs;
  }
}

/** As `AbortSignal.any`, whose weak references would keep the garbage collector busy: there is one for every call. */
function linkSignals(...signals: readonly AbortSignal[]): { signal: AbortSignal; unlink(): void } {
  const controller = new AbortController();
  const listeners = signals.map((signal) => {
    const onAbort = () => controller.abort(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return () => signal.removeEventListener("abort", onAbort);
  });
  return {
    signal: controller.signal,
    unlink() {
      for (const remove of listeners) remove();
    },
  };
}

/** Providers may send any number, or none; a budget must only ever add up credible amounts. */
function creditedUsage({ inputTokens, outputTokens, ...optional }: ModelUsage): ModelUsage {
  return {
    inputTokens: isAmount(inputTokens) ? inputTokens : 0,
    outputTokens: isAmount(outputTokens) ? outputTokens : 0,
    ...Object.fromEntries(Object.entries(optional).filter(([, amount]) => isAmount(amount))),
  };
}

const isAmount = (value: number | undefined): value is number =>
  value !== undefined && value >= 0 && value <= MAX_CREDIBLE_AMOUNT;

/** Tokens or dollars of one call. Sums of many stay exact enough. */
const MAX_CREDIBLE_AMOUNT = 1e12;

const retryAfter = (error: Error) =>
  error instanceof ModelError && !Number.isNaN(error.retryAfterMs) ? error.retryAfterMs : undefined;
const retriesOf = (error: Error) =>
  error instanceof ModelError && isAmount(error.retries) ? error.retries : 0;
const isRetryable = (error: Error) => !(error instanceof ModelError) || error.retryable;

/** Does not wait for a model that ignores its signal. */
async function raceAbort(model: Model, request: ModelRequest, signal: AbortSignal): Promise<ModelReply> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = () => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([model.complete(request, signal), aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
