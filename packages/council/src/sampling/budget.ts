import type { Clock } from "../clock.ts";
import type { StopReason } from "../events.ts";
import type { ModelUsage } from "../model.ts";
import type { Budget } from "../request-config.ts";
import type { CostSource, Usage } from "../result.ts";

/** What a run has spent, and whether it may go on. */
export interface BudgetTracker {
  /** Aborts when time, tokens or money run out, the caller cancels, or the run closes. Every call hangs on it. */
  readonly signal: AbortSignal;
  /** Why the run was stopped, if it was. */
  readonly stopped: StopReason | undefined;
  /** Counts one more call; false when none is left. */
  startCall(): boolean;
  /** What a call cost; undefined where neither the provider nor a price list says. */
  cost(model: string, usage: ModelUsage): number | undefined;
  /** Counts what a call used. Its own answer still counts, even when it used up the rest. */
  finishCall(usage: ModelUsage, cost: number | undefined): void;
  abortCall(): void;
  usage(): Usage;
  /** Until the deadline; Infinity without one. */
  remainingMs(): number;
  /** Aborts when this share of the time that is left now is over. Never without a deadline, nor after the run has ended. */
  afterShare(share: number): AbortSignal;
  close(): void;
}

export interface BudgetTrackerOptions {
  readonly clock: Clock;
  readonly cancel?: AbortSignal;
  readonly price?: (model: string, usage: ModelUsage) => number | undefined;
  readonly onStop: (reason: StopReason) => void;
}

/** Made once: every run closes, and a new error would note its stack each time. */
const CLOSED = new DOMException("The run has ended", "AbortError");

export function trackBudget(
  limits: Budget,
  { clock, cancel, price, onStop }: BudgetTrackerOptions,
): BudgetTracker {
  const controller = new AbortController();
  const startedAt = clock.elapsed();
  const used = { calls: 0, input: 0, output: 0, aborted: 0, usd: 0 };
  const sources = new Set<CostSource>();
  let uncounted = false;
  let stopped: StopReason | undefined;

  const onCancel = () => stop("cancelled");
  if (cancel?.aborted) onCancel();
  else cancel?.addEventListener("abort", onCancel, { once: true });
  /** The end of the run ends the wait. */
  const waitFor = (ms: number, then: () => void) =>
    void clock.sleep(ms, controller.signal).then(then, () => {});
  if (limits.deadline_ms !== undefined) waitFor(limits.deadline_ms, () => stop("deadline_ms"));
  const remainingMs = () =>
    limits.deadline_ms === undefined
      ? Number.POSITIVE_INFINITY
      : Math.max(0, startedAt + limits.deadline_ms - clock.elapsed());
  return {
    signal: controller.signal,
    get stopped() {
      return stopped;
    },
    startCall() {
      if (controller.signal.aborted) return false;
      const limit = exhausted(true);
      if (limit === undefined) {
        used.calls++;
        return true;
      }
      // Calls in flight are within max_calls and may finish; spent tokens or money stop them.
      if (limit !== "max_calls") stop(limit);
      else if (stopped === undefined) note(limit);
      return false;
    },
    cost: (model, usage) => usage.costUsd ?? price?.(model, usage),
    finishCall(usage, cost) {
      used.input += usage.inputTokens;
      used.output += usage.outputTokens;
      uncounted ||= usage.inputTokens + usage.outputTokens === 0;
      sources.add(usage.costUsd !== undefined ? "provider" : cost !== undefined ? "prices" : "unknown");
      used.usd += cost ?? 0;
      const limit = exhausted(false);
      if (limit !== undefined) stop(limit);
    },
    abortCall() {
      used.aborted++;
    },
    usage: () => ({
      calls: used.calls,
      input_tokens: used.input,
      output_tokens: used.output,
      aborted_calls: used.aborted,
      cost_usd: sources.has("unknown") ? null : used.usd,
      cost_source: costSource(sources),
    }),
    remainingMs,
    afterShare(share) {
      const late = new AbortController();
      const time = share * remainingMs();
      if (Number.isFinite(time)) waitFor(time, () => late.abort());
      return late.signal;
    },
    close() {
      cancel?.removeEventListener("abort", onCancel);
      controller.abort(CLOSED);
    },
  };

  /** The limit that is passed now or, for a call about to start, would be passed by it. */
  function exhausted(starting: boolean): StopReason | undefined {
    const room = starting ? 1 : 0;
    if (used.calls + room > (limits.max_calls ?? Number.POSITIVE_INFINITY)) return "max_calls";
    if (limits.max_tokens !== undefined) {
      if (uncounted || used.input + used.output + room > limits.max_tokens) return "max_tokens";
    }
    if (limits.max_usd === undefined) return undefined;
    const spent = starting ? used.usd >= limits.max_usd : used.usd > limits.max_usd;
    return spent || sources.has("unknown") ? "max_usd" : undefined;
  }

  function stop(reason: StopReason): void {
    if (controller.signal.aborted) return;
    note(reason);
    controller.abort();
  }

  function note(reason: StopReason): void {
    stopped = reason;
    onStop(reason);
  }
}

function costSource(sources: ReadonlySet<CostSource>): CostSource {
  if (sources.has("unknown")) return "unknown";
  if (sources.size > 1) return "mixed";
  return sources.values().next().value ?? "unknown";
}

/** Both limits at once: of each pair the smaller. */
export function stricterBudget(a: Budget, b: Budget): Budget {
  const least = (x?: number, y?: number) => (x === undefined ? y : y === undefined ? x : Math.min(x, y));
  return {
    max_calls: least(a.max_calls, b.max_calls),
    max_tokens: least(a.max_tokens, b.max_tokens),
    max_usd: least(a.max_usd, b.max_usd),
    deadline_ms: least(a.deadline_ms, b.deadline_ms),
  };
}
