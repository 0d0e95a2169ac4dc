import type { Limits } from "../config/config.ts";
import { HttpError } from "../http/errors.ts";
import type { SharedExpense, SharedRuns } from "../store/backend.ts";

export interface Expense {
  readonly calls?: number;
  /** null: not reported. */
  readonly tokens?: number | null;
  /** null: unknown. */
  readonly usd?: number | null;
}

export interface DailyBudgetOptions {
  /** Called once a day, when a limit on tokens or cost is reached. */
  readonly onExhausted: () => void;
  /** Keeps the account of all instances. Default: this instance is the only one. */
  readonly shared?: Pick<SharedRuns, "addExpense">;
  readonly now?: () => number;
}

const NOTHING: SharedExpense = { calls: 0, tokens: 0, usd: 0 };

/** Calls, tokens and cost of the whole service today (UTC), checked against their limits. */
export class DailyBudget {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #onExhausted: () => void;
  readonly #shared: DailyBudgetOptions["shared"];
  /** What the shared account does not have yet. */
  #pending = NOTHING;
  #sharedDay = "";
  #day = 0;
  #calls = 0;
  #tokens = 0;
  #usd = 0;
  #notified = false;

  constructor(limits: Limits, { onExhausted, shared, now = Date.now }: DailyBudgetOptions) {
    this.#limits = limits;
    this.#onExhausted = onExhausted;
    this.#now = now;
    // Without a limit there is nothing to compare the account with.
    if (Object.values(limits).some((limit) => limit !== undefined)) this.#shared = shared;
  }

  /** Learns what other instances have spent. While the database cannot be reached, what is known counts. */
  async refresh(): Promise<void> {
    await this.#synchronise();
  }

  /** Throws when today's budget is spent. */
  check(): void {
    this.#resetIfNewDay();
    const limit = this.#reachedLimit();
    if (limit === undefined) return;
    throw dailyBudgetError(`The service has reached ${limit} for today (UTC)`, this.#now());
  }

  /** Counts one more call; false when none is left today. Calls in flight may finish. */
  async startCall(): Promise<boolean> {
    this.#resetIfNewDay();
    const max = this.#limits.max_calls ?? Number.POSITIVE_INFINITY;
    if (this.#shared) {
      this.#calls++;
      this.#pending = plus(this.#pending, { ...NOTHING, calls: 1 });
      const calls = (await this.#synchronise()) ?? this.#calls;
      return calls <= max && this.#exhaustedLimit() === undefined;
    }
    if (this.#calls >= max || this.#exhaustedLimit() !== undefined) return false;
    this.#calls++;
    return true;
  }

  /**
   * Adds an expense; when a limit on tokens or cost is reached, `onExhausted` is called once. An unknown amount (null) counts as
   * exhausting its limit, because the limit could not be enforced.
   */
  add(spent: Expense): void {
    this.#resetIfNewDay();
    const amount = {
      calls: spent.calls ?? 0,
      tokens: knownAmount(spent.tokens),
      usd: knownAmount(spent.usd),
    };
    this.#calls += amount.calls;
    this.#tokens += amount.tokens;
    this.#usd += amount.usd;
    this.#notifyIfExhausted();
    if (!this.#shared) return;
    this.#pending = plus(this.#pending, amount);
    void this.#synchronise();
  }

  /** Adds what is pending to the shared account and takes over its totals; the calls of all instances, if they are known. */
  async #synchronise(): Promise<number | undefined> {
    if (!this.#shared) return undefined;
    const sent = this.#pending;
    this.#pending = NOTHING;
    try {
      const { day, ...totals } = await this.#shared.addExpense(sent);
      this.#adopt(day, totals);
      return totals.calls;
    } catch {
      this.#pending = plus(this.#pending, sent);
      return undefined;
    }
  }

  /** Replies may overtake each other: within a day the totals only grow. */
  #adopt(day: string, totals: SharedExpense): void {
    if (day < this.#sharedDay) return;
    const newDay = this.#sharedDay !== "" && day !== this.#sharedDay;
    const known = newDay ? NOTHING : { calls: this.#calls, tokens: this.#tokens, usd: this.#usd };
    if (newDay) this.#notified = false;
    this.#sharedDay = day;
    this.#calls = Math.max(known.calls, totals.calls);
    this.#tokens = Math.max(known.tokens, totals.tokens);
    this.#usd = Math.max(known.usd, totals.usd);
    this.#notifyIfExhausted();
  }

  #notifyIfExhausted(): void {
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
    // The day of the database counts.
    if (this.#shared) return;
    const day = dayStart(this.#now());
    if (day === this.#day) return;
    this.#day = day;
    this.#calls = this.#tokens = this.#usd = 0;
    this.#notified = false;
  }
}

function plus(a: SharedExpense, b: SharedExpense): SharedExpense {
  return { calls: a.calls + b.calls, tokens: a.tokens + b.tokens, usd: a.usd + b.usd };
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
