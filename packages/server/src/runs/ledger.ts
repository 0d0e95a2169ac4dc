import type { Limits } from "../config.ts";
import { HttpError } from "../http/errors.ts";

/** What the whole service has spent today (UTC), against what it may spend. */
export class Ledger {
  readonly #limits: Limits;
  readonly #now: () => number;
  readonly #onExhausted: () => void;
  #day = "";
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
    throw new HttpError("daily_budget_exhausted", `The service has reached ${limit} for today (UTC)`, {
      headers: { "retry-after": String(Math.ceil((86_400_000 - (this.#now() % 86_400_000)) / 1000)) },
    });
  }

  /** Adds a call or what it turned out to cost; the moment the budget is gone every run is told. */
  add(spent: { readonly calls?: number; readonly tokens?: number; readonly usd?: number }): void {
    this.#turn();
    this.#calls += spent.calls ?? 0;
    this.#tokens += spent.tokens ?? 0;
    this.#usd += spent.usd ?? 0;
    if (this.#told || this.#reached() === undefined) return;
    this.#told = true;
    this.#onExhausted();
  }

  #reached(): string | undefined {
    const { max_calls, max_tokens, max_usd } = this.#limits;
    if (max_calls !== undefined && this.#calls >= max_calls) return "MCI_DAILY_MAX_CALLS";
    if (max_tokens !== undefined && this.#tokens >= max_tokens) return "MCI_DAILY_MAX_TOKENS";
    if (max_usd !== undefined && this.#usd >= max_usd) return "MCI_DAILY_MAX_USD";
    return undefined;
  }

  #turn(): void {
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    if (day === this.#day) return;
    this.#day = day;
    this.#calls = this.#tokens = this.#usd = 0;
    this.#told = false;
  }
}
