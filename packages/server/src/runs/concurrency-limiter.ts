import { HttpError } from "../http/errors.ts";

export interface ConcurrencyLimits {
  readonly maxConcurrent: number;
  readonly maxQueued: number;
  readonly maxWaitMs: number;
}

interface Waiting {
  readonly admit: () => void;
}

/**
 * Lets a bounded number of runs work at a time and a bounded number wait, first come first served; the rest is told at once when
 * to come back. Under any load the work in hand stays the same.
 */
export class ConcurrencyLimiter {
  readonly #options: ConcurrencyLimits;
  readonly #queue = new Set<Waiting>();
  #active = 0;
  /** Running mean of how long a run holds its place. */
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

  /** Resolves with the function that gives the place back. */
  async acquire(signal: AbortSignal): Promise<() => void> {
    const { maxConcurrent, maxQueued } = this.#options;
    if (this.#active < maxConcurrent) this.#active++;
    else if (this.#queue.size >= maxQueued) throw this.#overloadedError("Too many runs are waiting");
    else await this.#wait(signal);
    const entered = performance.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.#meanMs += (performance.now() - entered - this.#meanMs) / 20;
      this.#release();
    };
  }

  #wait(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiting: Waiting = { admit: resolve };
    this.#queue.add(waiting);
    const giveUp = (error: unknown) => {
      this.#queue.delete(waiting);
      reject(error);
    };
    const timer = setTimeout(
      () => giveUp(this.#overloadedError("No run ended in time")),
      this.#options.maxWaitMs,
    );
    const onAbort = () => giveUp(signal.reason);
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

  #overloadedError(reason: string): HttpError {
    const seconds = Math.ceil((this.#meanMs * (this.#queue.size + 1)) / this.#options.maxConcurrent / 1000);
    const retryAfter = Math.min(60, Math.max(1, seconds));
    return new HttpError("overloaded", `${reason}: ${this.#active} are under way, ${this.#queue.size} wait`, {
      headers: { "retry-after": String(retryAfter) },
    });
  }
}
