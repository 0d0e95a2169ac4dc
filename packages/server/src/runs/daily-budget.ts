import type { Limits } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";

export interface Expense {
  readonly calls?: number;
  /** null: not reported. */
  readonly tokens?: number | null;
  /** null: unknown. */
  readonly usd?: number | null;
}

/** Calls, tokens and cost of the whole service today (UTC), checked against their limits. */
export class DailyBudget {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #onExhausted: () => void;
  #day = 0;
  #calls = 0;
  #tokens = 0;
  #usd = 0;
  #notified = false;

  constructor(limits: Limits, onExhausted: () => void, now: () => number = Date.now) {
    this.#limits = limits;
    this.#onExhausted = onExhausted;
    this.#now = now;
  }

  /** Throws when today's budget is spent. */
  check(): void {
    this.#resetIfNewDay();
    const limit = this.#reachedLimit();
    if (limit === undefined) return;
    throw dailyBudgetError(`The service has reached ${limit} for today (UTC)`, this.#now());
  }

  /** Counts one more call; false when none is left today. Calls in flight may finish. */
  startCall(): boolean {
    this.#resetIfNewDay();
    if (this.#calls >= (this.#limits.max_calls ?? Number.POSITIVE_INFINITY)) return false;
    this.#calls++;
    return true;
  }

  /**
   * Adds an expense; when a limit on tokens or cost is reached, `onExhausted` is called once. An unknown amount (null) counts as
   * exhausting its limit, because the limit could not be enforced.
   */
  add(spent: Expense): void {
    this.#resetIfNewDay();
    this.#calls += spent.calls ?? 0;
    this.#tokens += knownAmount(spent.tokens);
    this.#usd += knownAmount(spent.usd);
    if (this.#notified || this.#exhaustedLimit() === undefined) return;
    this.#notified = true;
    this.#onExhausted();
  }

  #reachedLimit(): string | undefined {
    const { max_calls } = this.#limits;
    return max_calls !== undefined && this.#calls >= max_calls
      ? "MCI_DAILY_MAX_CALLS"
      : this.#exhaustedLimit();
  }

  #exhaustedLimit(): string | undefined {
    const { max_tokens, max_usd } = this.#limits;
    if (max_tokens !== undefined && this.#tokens >= max_tokens) {
      return Number.isFinite(this.#tokens)
        ? "MCI_DAILY_MAX_TOKENS"
        : "a call whose token count is unknown, which MCI_DAILY_MAX_TOKENS does not allow";
    }
    if (max_usd !== undefined && this.#usd >= max_usd) {
      return Number.isFinite(this.#usd)
        ? "MCI_DAILY_MAX_USD"
        : "a call of unknown cost, which MCI_DAILY_MAX_USD does not allow";
    }
    return undefined;
  }

  #resetIfNewDay(): void {
    const day = dayStart(this.#now());
    if (day === this.#day) return;
    this.#day = day;
    this.#calls = this.#tokens = this.#usd = 0;
    this.#notified = false;
  }
}

const knownAmount = (amount: number | null = 0) => amount ?? Number.POSITIVE_INFINITY;

const DAY_MS = 86_400_000;

/** The first moment of the day (UTC). */
export function dayStart(now: number): number {
  return now - (now % DAY_MS);
}

export function dailyBudgetError(message: string, now = Date.now()): HttpError {
  const seconds = Math.ceil((dayStart(now) + DAY_MS - now) / 1000);
  return new HttpError("daily_budget_exhausted", message, { headers: { "retry-after": String(seconds) } });
}
