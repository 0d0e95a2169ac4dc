import { ServiceError } from "../../service-error.ts";

export interface ConcurrencyLimits {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly maxWaitMs: number;
}

interface QueuedRun {
  readonly admit: () => void;
}

/**
 * Bounds the runs executed at a time and the runs queued, first in first out. Further requests are rejected at once with
 * Retry-After, so the load of the service stays bounded.
 */
export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimits;
  readonly #queue = new Set<QueuedRun>();
  #active = 0;
  /** Moving average of the time a run holds its slot. */
  #meanMs = 1000;

  constructor(options: ConcurrencyLimits) {
    this.#options = options;
  }

  get active(): number {
    return this.#active;
  }

  get queued(): number {
    return this.#queue.size;
  }

  /** Waits for a slot; resolves with the function that releases it. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const { maxConcurrent, maxQueued } = this.#options;
    if (this.#active < maxConcurrent) this.#active++;
    else if (this.#queue.size >= maxQueued) throw this.#overloadedError("The queue is full");
    else await this.#enqueue(signal);
    const acquiredAt = performance.now();
    let released = false;
    return () => {
      if (released) return;
      released = true;
      this.#meanMs += (performance.now() - acquiredAt - this.#meanMs) / 20;
      this.#release();
    };
  }

  #enqueue(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const queued: QueuedRun = { admit: resolve };
    this.#queue.add(queued);
    const cancelWait = (error: unknown) => {
      this.#queue.delete(queued);
      reject(error);
    };
    const timer = setTimeout(
      () => cancelWait(this.#overloadedError("No slot became free in time")),
      this.#options.maxWaitMs,
    );
    const onAbort = () => cancelWait(signal.reason);
    if (signal.aborted) onAbort();
    else signal.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
    });
  }

  #release(): void {
    const [next] = this.#queue;
    if (next === undefined) this.#active--;
    else {
      this.#queue.delete(next);
      next.admit();
    }
  }

  #overloadedError(reason: string): ServiceError {
    const seconds = Math.ceil((this.#meanMs * (this.#queue.size + 1)) / this.#options.maxConcurrent / 1000);
    const retryAfterSeconds = Math.min(60, Math.max(1, seconds));
    return new ServiceError(
      "overloaded",
      `${reason}: ${this.#active} runs in flight, ${this.#queue.size} queued`,
      { retryAfterSeconds },
    );
  }
}
