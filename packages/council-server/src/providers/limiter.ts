import { ThrottledError } from "./errors/model-error.ts";

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
/** Part of the limit that stays after the provider refused one call too many. */
const DECREASE = 0.9;
/** Part of the limit that stays after the provider refused everything. */
const OUTAGE_DECREASE = 0.5;
/** How long a limit that held stays before one more call is tried, after a refusal at least so many holds. */
const PROBE_MS = 2000;
const PROBE_HOLDS = 10;
const MAX_PROBE_MS = 300_000;
/** Shorter holds would spend more on refused calls than they save: what a provider allows meanwhile is not lost. */
const MIN_HOLD_MS = 200;
const BACKOFF_MS = 250;
const MAX_BACKOFF_MS = 8000;

/** From a refusal to the first success of a call that was made after it: what is refused meanwhile has the same cause. */
interface Incident {
  readonly startedAt: number;
  /** What held before: an outage says nothing about how many calls the provider takes at a time. */
  readonly before: { readonly limit: number; readonly ceiling: number };
  /** The provider refused a call while it had no other: it takes none, and is asked with one at a time. */
  outage: boolean;
}

/**
 * One per provider and key. Calls in flight adapt: more with each round while all goes well, fewer when the provider is too busy.
 * If it refuses some calls and takes others, the limit becomes what it took. If it refuses every call, that is an outage:
 * the limit is halved once, however long it lasts, one call at a time asks whether it is over, and then the limit doubles
 * with each round up to where it was. Its Retry-After holds all calls, with jitter. Runs take turns.
 */
export class Limiter {
  readonly #random: () => number;
  readonly #now: () => number;
  /** The calls that wait, by their run; the run whose turn is next comes first. */
  readonly #waiting = new Map<LimitedRun, Waiter[]>();
  #limit: number;
  /** The limit at which the provider last refused a call. */
  #ceiling = Number.POSITIVE_INFINITY;
  #inFlight = 0;
  #incident: Incident | undefined;
  #probeAt = 0;
  #probeMs = PROBE_MS;
  /** The next rise of the ceiling. */
  #raise = 1;
  #heldUntil = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  #refusedProbes = 0;

  constructor({ start = START, random = Math.random, now = () => performance.now() }: LimiterOptions = {}) {
    this.#limit = start;
    this.#random = random;
    this.#now = now;
  }

  /** Calls that may be in flight now. */
  get limit(): number {
    return this.#incident?.outage ? 1 : Math.floor(this.#limit);
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
        this.#succeeded(started);
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

  #succeeded(started: number): void {
    this.#refusedProbes = 0;
    if (this.#incident && started > this.#incident.startedAt) this.#endIncident(this.#incident);
    // Only a limit that was used up has shown that it holds.
    else if (!this.#incident && this.#inFlight >= this.limit) this.#grow();
    this.#inFlight--;
    this.#drain();
  }

  #endIncident({ outage, before }: Incident): void {
    this.#incident = undefined;
    if (outage) {
      this.#limit = Math.max(1, before.limit * OUTAGE_DECREASE);
      this.#ceiling = Math.max(before.ceiling, before.limit);
    } else this.#ceiling = Math.max(2, Math.min(this.#ceiling, this.#limit + 1));
  }

  /** Doubles with each round up to the ceiling; then one more is tried, and as long as nothing is refused twice as many each time. */
  #grow(): void {
    if (this.#limit + 1 < this.#ceiling) this.#limit++;
    else if (this.#now() >= this.#probeAt) {
      this.#limit = this.#ceiling;
      this.#ceiling += this.#raise;
      this.#raise *= 2;
      this.#probeAt = this.#now() + PROBE_MS;
    }
  }

  #refused(started: number, retryAfterMs: number | undefined): void {
    const running = --this.#inFlight;
    const holdMs =
      retryAfterMs === undefined
        ? this.#backoff(running)
        : Math.max(MIN_HOLD_MS, retryAfterMs) * (1 + this.#random() / 10);
    this.#incident ??= this.#beginIncident(holdMs);
    const incident = this.#incident;
    if (running === 0 && started >= incident.startedAt) incident.outage = true;
    // What still runs was taken: no more than that.
    this.#limit = Math.max(1, Math.min(this.#limit, running));
    if (running === 0) this.#refusedProbes++;
    this.hold(holdMs);
  }

  #beginIncident(holdMs: number): Incident {
    const now = this.#now();
    const before = { limit: this.#limit, ceiling: this.#ceiling };
    // Refused soon after one more was tried: the next try comes later.
    const isProbe = this.#raise > 1 && now < this.#probeAt;
    const waitMs = Math.max(isProbe ? this.#probeMs * 2 : PROBE_MS, PROBE_HOLDS * holdMs);
    this.#probeMs = Math.min(MAX_PROBE_MS, waitMs);
    this.#probeAt = now + this.#probeMs;
    this.#raise = 1;
    this.#ceiling = this.#limit;
    this.#limit *= DECREASE;
    return { startedAt: now, before, outage: false };
  }

  /** While calls are running, the end of one is the time for the next; else the wait grows. */
  #backoff(running: number): number {
    if (running > 0) return 0;
    const step = Math.min(MAX_BACKOFF_MS, BACKOFF_MS * 2 ** Math.min(this.#refusedProbes, 10));
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
