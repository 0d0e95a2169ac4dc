import type { Limits } from "../config.ts";
import { HttpError } from "../http/errors.ts";

export interface Spent {
  readonly calls?: number;
  /** null: nobody counted. */
  readonly tokens?: number | null;
  /** null: unknown. */
  readonly usd?: number | null;
}

/** What the whole service has spent today (UTC), against what it may spend. */
export class Ledger {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #onExhausted: () => void;
  #day = 0;
  #calls = 0;
  #tokens = 0;
  #usd = 0;
  #told = false;

  constructor(limits: Limits, onExhausted: () => void, now: () => number = Date.now) {
    this.#limits = limits;
    this.#onExhausted = onExhausted;
    this.#now = now;
  }

  /** Throws when today's budget is spent. */
  check(): void {
    this.#turn();
    const limit = this.#reached();
    if (limit === undefined) return;
    throw exhausted(`The service has reached ${limit} for today (UTC)`, this.#now());
  }

  /** Counts one more call; false when none is left today. Calls under way may finish. */
  startCall(): boolean {
    this.#turn();
    if (this.#calls >= (this.#limits.max_calls ?? Number.POSITIVE_INFINITY)) return false;
    this.#calls++;
    return true;
  }

  /**
   * Adds what was spent; the moment tokens or money are gone every run is told. What nobody knows (null) ends a budget in it:
   * it could not be kept.
   */
  add(spent: Spent): void {
    this.#turn();
    this.#calls += spent.calls ?? 0;
    this.#tokens += known(spent.tokens);
    this.#usd += known(spent.usd);
    if (this.#told || this.#spent() === undefined) return;
    this.#told = true;
    this.#onExhausted();
  }

  #reached(): string | undefined {
    const { max_calls } = this.#limits;
    return max_calls !== undefined && this.#calls >= max_calls ? "MCI_DAILY_MAX_CALLS" : this.#spent();
  }

  #spent(): string | undefined {
    const { max_tokens, max_usd } = this.#limits;
    if (max_tokens !== undefined && this.#tokens >= max_tokens) {
      return Number.isFinite(this.#tokens)
        ? "MCI_DAILY_MAX_TOKENS"
        : "a call whose tokens nobody counted, which MCI_DAILY_MAX_TOKENS does not allow";
    }
    if (max_usd !== undefined && this.#usd >= max_usd) {
      return Number.isFinite(this.#usd)
        ? "MCI_DAILY_MAX_USD"
        : "a call of unknown cost, which MCI_DAILY_MAX_USD does not allow";
    }
    return undefined;
  }

  #turn(): void {
    const day = dayStart(this.#now());
    if (day === this.#day) return;
    this.#day = day;
    this.#calls = this.#tokens = this.#usd = 0;
    this.#told = false;
  }
}

const known = (amount: number | null = 0) => amount ?? Number.POSITIVE_INFINITY;

const DAY_MS = 86_400_000;

/** The first moment of the day (UTC). */
export function dayStart(now: number): number {
  return now - (now % DAY_MS);
}

export function exhausted(message: string, now = Date.now()): HttpError {
  const seconds = Math.ceil((dayStart(now) + DAY_MS - now) / 1000);
  return new HttpError("daily_budget_exhausted", message, { headers: { "retry-after": String(seconds) } });
}
