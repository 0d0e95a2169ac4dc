import type { Limits } from "../config/config.ts";
import { ServiceError } from "../service-error.ts";
import type { BudgetExchange, BudgetState, DailyAmounts, SharedRuns } from "../store/backend.ts";
import { amountsOf, type Expense, eachKind, KINDS, minus, NOTHING, plus } from "./amounts.ts";
import { localAccount } from "./local-account.ts";

/** Room for one call, taken before it is sent. */
export interface Reservation {
  /** Replaces what was reserved by what was spent. */
  settle(spent: Expense): void;
}

export interface DailyBudgetOptions {
  /** Called once a day, when a limit on tokens or cost is reached. */
  readonly onExhausted: () => void;
  /** Keeps the account of all instances. Default: this instance is the only one. */
  readonly shared?: Pick<SharedRuns, "exchangeBudget">;
  /** Default: the service as a whole. */
  readonly holder?: BudgetHolder;
  readonly now?: () => number;
}

/** Whose budget it is, in messages. */
export interface BudgetHolder {
  readonly name: string;
  /** The settings of its limits. */
  readonly settings: Readonly<Record<keyof DailyAmounts, string>>;
}

const SERVICE: BudgetHolder = {
  name: "The service has",
  settings: { calls: "MCI_DAILY_MAX_CALLS", tokens: "MCI_DAILY_MAX_TOKENS", usd: "MCI_DAILY_MAX_USD" },
};

/** Room for up to this many calls is taken from the account at a time, so that instances rarely wait for each other. */
const MAX_CHUNK_CALLS = 64;
/** And at most this share of what is left, so that one instance does not hold what another needs. */
const CHUNK_SHARE = 16;
/** After this time without a call, an instance gives back what it holds. */
const IDLE_MS = 1000;
/** How old the totals of the other instances may be when a run or a step begins. */
const FRESH_MS = 1000;

/**
 * Calls, tokens and cost of the whole service, or of one subject, today (UTC), within their limits. Room for a call is reserved before it is sent and
 * settled after it, so that calls at the same time cannot spend the same money. An instance takes room from the shared account in
 * chunks; what a killed one held is lost for the day, never spent twice.
 */
export class DailyBudget {
  readonly #limits: DailyAmounts;
  readonly #account: { exchange(exchange: BudgetExchange): BudgetState | Promise<BudgetState> };
  readonly #isShared: boolean;
  readonly #now: () => number;
  readonly #onExhausted: () => void;
  readonly #holder: BudgetHolder;
  #day = "";
  /** What all instances have taken from the account. */
  #totals = NOTHING;
  /** What this instance has taken and not used; below zero: spent beyond it, and not in the account yet. */
  #held = NOTHING;
  /** What the calls in flight have reserved. */
  #reserved = NOTHING;
  #inFlight = 0;
  #exchanging: Promise<void> | undefined;
  #exchangedAt = Number.NEGATIVE_INFINITY;
  #settled = Promise.withResolvers<void>();
  #idle: NodeJS.Timeout | undefined;
  #notified = false;

  constructor(limits: Limits, { onExhausted, shared, holder = SERVICE, now = Date.now }: DailyBudgetOptions) {
    const { max_calls, max_tokens, max_usd } = limits;
    const unlimited = Number.POSITIVE_INFINITY;
    this.#limits = {
      calls: max_calls ?? unlimited,
      tokens: max_tokens ?? unlimited,
      usd: max_usd ?? unlimited,
    };
    this.#account = shared ? { exchange: (one) => shared.exchangeBudget(one) } : localAccount(now);
    this.#isShared = shared !== undefined;
    this.#onExhausted = onExhausted;
    this.#holder = holder;
    this.#now = now;
  }

  /** Learns what other instances have spent, unless this one holds room for a call. While the database cannot be reached, what is known counts. */
  async refresh(): Promise<void> {
    if (!this.isLimited || !this.#isShared) return;
    const isFresh = this.#now() - this.#exchangedAt < FRESH_MS;
    if (isFresh || KINDS.every((kind) => this.#held[kind] > 0 || !this.#isLimit(kind))) return;
    await this.#exchange(NOTHING, NOTHING).catch(() => undefined);
  }

  /** Throws when today's budget is spent. */
  check(): void {
    this.#adoptLocalDay();
    const limit = this.#reachedLimit();
    if (limit === undefined) return;
    throw dailyBudgetError(`${this.#holder.name} reached ${limit} for today (UTC)`, this.#now());
  }

  /** What was spent before this process started. */
  add(spent: Expense): void {
    this.#adoptLocalDay();
    this.#held = minus(this.#held, this.#limited(amountsOf(spent)));
    this.#sendDebt();
  }

  /**
   * Reserves room for a call of at most this size; undefined when there is none left today. Near the limit it waits until calls in
   * flight have settled. The last call may be larger than what is left: its size is only known afterwards. Rejects while the account
   * cannot be reached.
   */
  async reserve(atMost: Omit<DailyAmounts, "calls">, signal: AbortSignal): Promise<Reservation | undefined> {
    if (!this.isLimited) return { settle: () => undefined };
    const needed = this.#limited({ calls: 1, ...atMost });
    for (;;) {
      signal.throwIfAborted();
      this.#adoptLocalDay();
      if (this.#hasRoomFor(needed)) return this.#grant(needed);
      if (this.#exchanging) {
        await this.#exchanging;
        continue;
      }
      await this.#exchange(NOTHING, this.#chunkFor(needed));
      if (this.#hasRoomFor(needed)) return this.#grant(needed);
      if (this.#reachedLimit() !== undefined || this.#held.calls < needed.calls) return undefined;
      if (this.#inFlight === 0)
        return this.#grant(eachKind((kind) => Math.max(0, Math.min(needed[kind], this.#held[kind]))));
      await this.#settlement(signal);
    }
  }

  /** Gives back what this instance holds. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#exchanging?.catch(() => undefined);
    await this.#giveBack();
  }

  get limitsCost(): boolean {
    return this.#isLimit("usd");
  }

  /** Without a limit nothing is accounted for. */
  get isLimited(): boolean {
    return KINDS.some((kind) => this.#isLimit(kind));
  }

  #isLimit(kind: keyof DailyAmounts): boolean {
    return this.#limits[kind] !== Number.POSITIVE_INFINITY;
  }

  /** Without a limit there is nothing to compare an amount with, and it is not accounted for. */
  #limited(amounts: DailyAmounts): DailyAmounts {
    return eachKind((kind) => (this.#isLimit(kind) ? amounts[kind] : 0));
  }

  #grant(amounts: DailyAmounts): Reservation {
    const day = this.#day;
    this.#held = minus(this.#held, amounts);
    this.#reserved = plus(this.#reserved, amounts);
    this.#inFlight++;
    let open = true;
    return {
      settle: (spent) => {
        if (!open) return;
        open = false;
        this.#inFlight--;
        // What was reserved of another day was charged to that day.
        if (day === this.#day) {
          this.#reserved = minus(this.#reserved, amounts);
          this.#held = plus(this.#held, minus(amounts, this.#limited(amountsOf({ calls: 1, ...spent }))));
        }
        this.#sendDebt();
        this.#settled.resolve();
        this.#settled = Promise.withResolvers<void>();
        this.#giveBackWhenIdle();
      },
    };
  }

  #hasRoomFor(needed: DailyAmounts): boolean {
    // Before the first exchange it is not known what others have spent.
    if (this.#day === "") return false;
    return KINDS.every((kind) => this.#held[kind] >= needed[kind]) && this.#reachedLimit() === undefined;
  }

  /** Waits until a call in flight has settled, or the signal aborts. */
  async #settlement(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const onAbort = () => resolve();
    signal.addEventListener("abort", onAbort, { once: true });
    await Promise.race([this.#settled.promise, promise]);
    signal.removeEventListener("abort", onAbort);
  }

  #chunkFor(needed: DailyAmounts): DailyAmounts {
    return eachKind((kind) => {
      const left = Math.max(0, this.#limits[kind] - this.#totals[kind]) / CHUNK_SHARE;
      const share = kind === "calls" ? Math.floor(left) : left;
      const chunk = Math.min(Math.max(needed[kind], share), needed[kind] * MAX_CHUNK_CALLS);
      return needed[kind] === 0 ? 0 : Math.max(0, chunk - Math.max(0, this.#held[kind]));
    });
  }

  /** One at a time. Debts go with it. */
  #exchange(more: DailyAmounts, take: DailyAmounts): Promise<void> {
    const work = async () => {
      await this.#exchanging?.catch(() => undefined);
      const debt = eachKind((kind) => Math.max(0, -this.#held[kind]));
      const add = plus(debt, more);
      // Gone from here before it is sent: nothing else may use it meanwhile.
      this.#held = eachKind((kind) => (this.#held[kind] < 0 ? 0 : this.#held[kind] + more[kind]));
      try {
        this.#adopt(await this.#account.exchange({ add, take, limits: this.#limits }));
      } catch (error) {
        this.#held = minus(this.#held, add);
        throw error;
      }
    };
    const exchange = work().finally(() => {
      if (this.#exchanging === exchange) this.#exchanging = undefined;
    });
    this.#exchanging = exchange;
    return exchange;
  }

  #adopt({ day, taken, totals }: BudgetState): void {
    this.#exchangedAt = this.#now();
    if (day < this.#day) return;
    if (day !== this.#day) this.#startDay(day);
    this.#held = plus(this.#held, taken);
    this.#totals = totals;
    this.#notifyIfExhausted();
  }

  /** What is held of yesterday is worth nothing today. */
  #startDay(day: string): void {
    this.#day = day;
    this.#held = this.#reserved = this.#totals = NOTHING;
    this.#notified = false;
  }

  /** The day of a shared account is that of the database, and comes with each exchange. */
  #adoptLocalDay(): void {
    if (this.#isShared) return;
    const day = new Date(this.#now()).toISOString().slice(0, 10);
    if (day !== this.#day) this.#startDay(day);
  }

  #sendDebt(): void {
    this.#notifyIfExhausted();
    if (KINDS.some((kind) => this.#held[kind] < 0))
      void this.#exchange(NOTHING, NOTHING).catch(() => undefined);
  }

  #giveBackWhenIdle(): void {
    clearTimeout(this.#idle);
    if (!this.#isShared || this.#inFlight > 0) return;
    this.#idle = setTimeout(() => void this.#giveBack(), IDLE_MS).unref();
  }

  async #giveBack(): Promise<void> {
    const held = eachKind((kind) => Math.max(0, this.#held[kind]));
    if (KINDS.every((kind) => held[kind] === 0)) return;
    await this.#exchange(minus(NOTHING, held), NOTHING).catch(() => undefined);
  }

  #notifyIfExhausted(): void {
    if (this.#notified || this.#reachedLimit(["tokens", "usd"]) === undefined) return;
    this.#notified = true;
    this.#onExhausted();
  }

  /** The first limit that what is spent has reached: what is held or reserved here is not spent, except calls in flight. */
  #reachedLimit(kinds: readonly (keyof DailyAmounts)[] = KINDS): string | undefined {
    for (const kind of kinds) {
      const reserved = kind === "calls" ? 0 : this.#reserved[kind];
      const spent = this.#totals[kind] - this.#held[kind] - reserved;
      if (spent < this.#limits[kind] || !this.#isLimit(kind)) continue;
      const setting = this.#holder.settings[kind];
      if (Number.isFinite(spent)) return setting;
      return kind === "tokens"
        ? `a call whose token count is unknown, which ${setting} does not allow`
        : `a call of unknown cost, which ${setting} does not allow`;
    }
    return undefined;
  }
}

const DAY_MS = 86_400_000;

/** The first moment of the day (UTC). */
export function dayStart(now: number): number {
  return now - (now % DAY_MS);
}

export function dailyBudgetError(message: string, now = Date.now()): ServiceError {
  const retryAfterSeconds = Math.ceil((dayStart(now) + DAY_MS - now) / 1000);
  return new ServiceError("daily_budget_exhausted", message, { retryAfterSeconds });
}
