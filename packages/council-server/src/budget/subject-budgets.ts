import type { Limits } from "../config/config.ts";
import type { Models } from "../providers/models.ts";
import type { Store } from "../store/store.ts";
import { type BudgetHolder, DailyBudget } from "./daily-budget.ts";
import { restoreDailyBudget } from "./restore-daily-budget.ts";

export interface SubjectBudgetsOptions {
  readonly store: Pick<Store, "shared" | "expenses">;
  readonly price: Models["price"];
  /** Called once a day for each subject, when its limit on tokens or cost is reached. */
  readonly onExhausted: (subject: string) => void;
}

/**
 * What each subject may use a day, behind an issuer: by its runs and by the steps of its tasks, on all instances. As with the budget of the
 * service, room for a call is reserved before it is sent, so that runs side by side cannot spend the same money.
 */
export class SubjectBudgets {
  readonly #limits: Limits;
  readonly #options: SubjectBudgetsOptions;
  /** The most recently used last. */
  readonly #accounts = new Map<string, Account>();

  constructor(limits: Limits, options: SubjectBudgetsOptions) {
    this.#limits = limits;
    this.#options = options;
  }

  /** Does work whose calls are charged to a subject. It gets no budget where there is no subject, or no limit. */
  async withBudget<T>(
    subject: string | undefined,
    work: (budget: DailyBudget | undefined) => Promise<T>,
  ): Promise<T> {
    const { max_calls, max_tokens, max_usd } = this.#limits;
    if (subject === undefined || (max_calls ?? max_tokens ?? max_usd) === undefined) return work(undefined);
    const account = this.#accounts.get(subject) ?? { users: 0, opened: this.#open(subject) };
    this.#accounts.delete(subject);
    this.#accounts.set(subject, account);
    account.users++;
    try {
      return await work(await account.opened);
    } finally {
      account.users--;
      this.#evict();
    }
  }

  /** Throws `daily_budget_exhausted` where the subject has used its part of today. */
  check(subject: string | undefined): Promise<void> {
    return this.withBudget(subject, async (budget) => {
      await budget?.refresh();
      budget?.check();
    });
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#accounts.values()].map(async ({ opened }) => {
        await (await opened.catch(() => undefined))?.close();
      }),
    );
  }

  async #open(subject: string): Promise<DailyBudget> {
    const { store, price, onExhausted } = this.#options;
    const { shared } = store;
    const budget = new DailyBudget(this.#limits, {
      holder: SUBJECT,
      onExhausted: () => onExhausted(subject),
      ...(shared
        ? { shared: { exchangeBudget: (exchange) => shared.exchangeBudget({ ...exchange, subject }) } }
        : {}),
    });
    try {
      await restoreDailyBudget(budget, store, price, subject);
      return budget;
    } catch (error) {
      // The next request may find the history readable again.
      this.#accounts.delete(subject);
      throw error;
    }
  }

  /** What is not in use is known from the history, or from the account that instances share. */
  #evict(): void {
    for (const [subject, { users, opened }] of this.#accounts) {
      if (this.#accounts.size <= MAX_ACCOUNTS) return;
      if (users > 0) continue;
      this.#accounts.delete(subject);
      void opened.then((budget) => budget.close());
    }
  }
}

interface Account {
  users: number;
  readonly opened: Promise<DailyBudget>;
}

const MAX_ACCOUNTS = 1000;

const SUBJECT: BudgetHolder = {
  name: "You have",
  settings: {
    calls: "MCI_SUBJECT_DAILY_CALLS",
    tokens: "MCI_SUBJECT_DAILY_TOKENS",
    usd: "MCI_SUBJECT_DAILY_USD",
  },
};
