import { ThrottledError } from "./model-error.ts";

export interface LimiterOptions {
  /** Calls in flight before anything is known. Default 64. */
  readonly start?: number;
  readonly random?: () => number;
  readonly now?: () => number;
}

/** A run as the limiter sees it: runs take turns, and each waits as long as it has time. */
export interface LimitedRun {
  /** On the clock of `performance.now()`. Absent: a busy provider fails the call at once. */
  readonly deadlineAt?: number;
}

interface Waiter {
  readonly run: LimitedRun;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

const START = 64;
/** Part of the limit that stays after the provider was too busy. */
const DECREASE = 0.9;
/** How long a limit that held stays before one more call is tried, at least so many holds. */
const PROBE_MS = 2000;
const PROBE_HOLDS = 20;
const MAX_PROBE_MS = 300_000;
/** Shorter holds would spend more on refused calls than they save: what a provider allows meanwhile is not lost. */
const MIN_HOLD_MS = 200;
const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 30_000;

/**
 * One per provider and key. Calls in flight adapt: one more per round while all goes well, a tenth fewer when the provider is too
 * busy, never more than were running when it refused one. Its Retry-After holds all calls, with jitter. Runs take turns.
 */
export class Limiter {
  readonly #random: () => number;
  readonly #now: () => number;
  /** In order of whose turn it is. */
  readonly #waiting = new Map<LimitedRun, Waiter[]>();
  #limit: number;
  /** The limit at which the provider last refused a call. */
  #ceiling = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #lastCut = Number.NEGATIVE_INFINITY;
  #probeAt = 0;
  #probeMs = PROBE_MS;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #refusedInARow = 0;

  constructor({ start = START, random = Math.random, now = () => performance.now() }: LimiterOptions = {}) {
    this.#limit = start;
    this.#random = random;
    this.#now = now;
  }

  /** Calls that may be in flight now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /** Makes one call when its turn has come, and again when the provider was too busy, while the run has time. */
  async call<T>(
    run: LimitedRun,
    signal: AbortSignal,
    attempt: () => Promise<T>,
  ): Promise<{ value: T; retries: number }> {
    for (let retries = 0; ; retries++) {
      await this.#turn(run, signal, retries);
      const started = this.#now();
      try {
        const value = await attempt();
        this.#succeeded();
        return { value, retries };
      } catch (error) {
        if (!(error instanceof ThrottledError)) {
          this.#inFlight--;
          this.#drain();
          throw error;
        }
        this.#refused(started, error.retryAfterMs);
        if (run.deadlineAt === undefined) throw error;
      }
    }
  }

  /** Holds all calls for a while, as headers of a successful response may ask for. */
  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#now() + ms);
    for (const [run, waiters] of [...this.#waiting]) {
      if ((run.deadlineAt ?? Number.POSITIVE_INFINITY) > this.#heldUntil) continue;
      this.#waiting.delete(run);
      for (const waiter of waiters) waiter.reject(this.#tooLate(0));
    }
    this.#drain();
  }

  async #turn(run: LimitedRun, signal: AbortSignal, retries: number): Promise<void> {
    signal.throwIfAborted();
    if (this.#waiting.size === 0 && this.#isFree(this.#now())) {
      this.#inFlight++;
      return;
    }
    if (this.#heldUntil > (run.deadlineAt ?? Number.POSITIVE_INFINITY)) throw this.#tooLate(retries);
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { run, resolve, reject };
    const queue = this.#waiting.get(run);
    // A call that was refused goes before those of its run that were not made yet.
    if (queue) retries > 0 ? queue.unshift(waiter) : queue.push(waiter);
    else this.#waiting.set(run, [waiter]);
    const onAbort = () => {
      const rest = this.#waiting.get(run)?.filter((other) => other !== waiter) ?? [];
      if (rest.length > 0) this.#waiting.set(run, rest);
      else this.#waiting.delete(run);
      this.#drain();
      reject(signal.reason);
    };
    signal.addEventListener("abort", onAbort, { once: true });
    this.#drain();
    try {
      await promise;
    } finally {
      signal.removeEventListener("abort", onAbort);
    }
  }

  #isFree(now: number): boolean {
    return this.#inFlight < this.limit && now >= this.#heldUntil;
  }

  #drain(): void {
    // Read once: a hold that ended between two looks at the clock would leave its calls without a timer.
    const now = this.#now();
    while (this.#isFree(now)) {
      const [next] = this.#waiting;
      if (next === undefined) break;
      const [run, [waiter, ...rest]] = next;
      // To the end: the other runs come first.
      this.#waiting.delete(run);
      if (rest.length > 0) this.#waiting.set(run, rest);
      this.#inFlight++;
      waiter!.resolve();
    }
    clearTimeout(this.#timer);
    const left = this.#heldUntil - now;
    // A hold that no call waits for must not keep the process alive.
    if (left > 0 && this.#waiting.size > 0) this.#timer = setTimeout(() => this.#drain(), Math.ceil(left));
  }

  #succeeded(): void {
    this.#refusedInARow = 0;
    // Only a limit that was used up has shown that it holds.
    if (this.#inFlight >= this.limit) this.#grow();
    this.#inFlight--;
    this.#drain();
  }

  #grow(): void {
    const step = this.#limit < this.#ceiling / 2 ? 1 : 1 / this.#limit;
    if (this.#limit + step < this.#ceiling) this.#limit += step;
    else if (this.#now() >= this.#probeAt) {
      this.#limit = this.#ceiling;
      this.#ceiling++;
      this.#probeAt = this.#now() + this.#probeMs;
    }
  }

  #refused(started: number, retryAfterMs: number | undefined): void {
    const running = --this.#inFlight;
    const holdMs =
      retryAfterMs === undefined
        ? this.#backoff(running)
        : Math.max(MIN_HOLD_MS, retryAfterMs) * (1 + this.#random() / 10);
    // Calls that left before the last cut say nothing about the new limit but how many were too many.
    if (started > this.#lastCut) {
      // Refused soon after one more was tried: the next try comes later.
      const isProbe = this.#now() < this.#probeAt && this.#ceiling < Number.POSITIVE_INFINITY;
      this.#probeMs = Math.min(
        MAX_PROBE_MS,
        Math.max(isProbe ? this.#probeMs * 2 : PROBE_MS, PROBE_HOLDS * holdMs),
      );
      this.#ceiling = Math.max(2, this.limit);
      this.#limit *= DECREASE;
      this.#lastCut = this.#now();
      this.#probeAt = this.#lastCut + this.#probeMs;
    }
    this.#limit = Math.max(1, Math.min(this.#limit, running));
    this.#refusedInARow++;
    this.hold(holdMs);
  }

  /** While calls are running, the end of one is the time for the next; else the wait grows. */
  #backoff(running: number): number {
    if (running > 0) return 0;
    const step = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(this.#refusedInARow, 10));
    return step * (0.5 + this.#random() / 2);
  }

  #tooLate(retries: number): ThrottledError {
    const retryAfterMs = Math.max(0, Math.round(this.#heldUntil - this.#now()));
    return new ThrottledError(
      `the provider takes no calls for another ${Math.ceil(retryAfterMs / 1000)} s, longer than the run may take`,
      { retryable: false, status: 429, retryAfterMs, retries },
    );
  }
}
