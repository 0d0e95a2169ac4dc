import { type Model, ModelError, type ModelUsage } from "@mci-ts/council";
import { ServiceError } from "../service-error.ts";
import { readHistory } from "../store/read-history.ts";
import type { Store } from "../store/store.ts";

/** What the steps of each agent may cost together: checked before every call, against the history and the steps in flight. */
export class SessionBudgets {
  readonly #store: Pick<Store, "sessionCost">;
  /** What the steps in flight have spent, by session. */
  readonly #inFlight = new Map<string, { usd: number; steps: number }>();

  constructor(store: Pick<Store, "sessionCost">) {
    this.#store = store;
  }

  /** Runs one step with a model that stays within the budget of its session. */
  async withBudget<T>(
    { session, maxUsd, price }: SessionLimit,
    model: Model,
    step: (model: Model) => Promise<T>,
  ): Promise<T> {
    const account = this.#inFlight.get(session) ?? { usd: 0, steps: 0 };
    this.#inFlight.set(session, account);
    account.steps++;
    try {
      const { usd: stored, unpriced } = await readHistory(this.#store.sessionCost(session));
      const problem = () => {
        if (unpriced > 0 || Number.isNaN(account.usd)) return "the cost of earlier steps is unknown";
        const spent = stored + account.usd;
        return spent >= maxUsd ? `$${spent.toFixed(4)} are spent` : undefined;
      };
      const refused = problem();
      if (refused !== undefined) throw new ServiceError("budget_exhausted", exhausted(maxUsd, refused));
      return await step({
        ...model,
        async complete(request, signal) {
          const reason = problem();
          if (reason !== undefined) throw new ModelError(exhausted(maxUsd, reason), { retryable: false });
          const reply = await model.complete(request, signal);
          account.usd += reply.usage.costUsd ?? price(request.model, reply.usage) ?? Number.NaN;
          return reply;
        },
      });
    } finally {
      if (--account.steps === 0) this.#inFlight.delete(session);
    }
  }
}

export interface SessionLimit {
  readonly session: string;
  readonly maxUsd: number;
  /** Cost of a call in US dollars; undefined: unknown. */
  readonly price: (model: string, usage: ModelUsage) => number | undefined;
}

const exhausted = (maxUsd: number, reason: string) =>
  `The budget of this session is $${maxUsd} (config.act.max_usd_session), and ${reason}. Raise it, or begin a new session.`;
