import type { Model, ModelReply, ModelRequest, ModelUsage } from "@mci-ts/council";
import { ServiceError } from "../service-error.ts";
import type { Expense } from "./amounts.ts";
import type { DailyBudget, Reservation } from "./daily-budget.ts";

export interface DailyBudgetedCalls {
  /** Cost of a call in US dollars; undefined: unknown. */
  readonly price: (model: string, usage: ModelUsage) => number | undefined;
  /** Called with the budget that has no call left today. */
  readonly onRefused: (budget: DailyBudget) => void;
  /** Called when a call begins, and again with what it cost. */
  readonly onExpense?: (expense: CallExpense) => void;
}

interface CallExpense {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null: unknown. */
  readonly costUsd: number | null;
}

/** The same model within daily budgets: each call is reserved in all of them before it is sent, and settled after it. */
export function withDailyBudget(
  model: Model,
  budgets: readonly DailyBudget[],
  { price, onRefused, onExpense }: DailyBudgetedCalls,
): Model {
  // The size of a request is only measured where something is compared with it.
  if (!onExpense && budgets.every(({ isLimited }) => !isLimited)) return model;
  return {
    ...model,
    async complete(request, signal) {
      const atMost = largestExpense(request, price);
      const reservations: Reservation[] = [];
      let spent: Expense = { calls: 0, tokens: 0, usd: 0 };
      try {
        for (const budget of budgets) {
          const reservation = await budget.reserve(atMost, signal);
          if (!reservation) {
            onRefused(budget);
            throw new ServiceError("daily_budget_exhausted", "No more calls may be made today");
          }
          reservations.push(reservation);
        }
        signal.throwIfAborted();
        spent = { calls: 1 };
        onExpense?.({ model: request.model, calls: 1, inputTokens: 0, outputTokens: 0, costUsd: 0 });
        const reply = await model.complete(request, signal);
        const { inputTokens, outputTokens } = reply.usage;
        const costUsd = costOf(request, reply, price);
        spent = { calls: 1, tokens: inputTokens + outputTokens || null, usd: costUsd };
        onExpense?.({ model: request.model, calls: 0, inputTokens, outputTokens, costUsd });
        return reply;
      } finally {
        for (const reservation of reservations) reservation.settle(spent);
      }
    },
  };
}

function costOf({ model }: ModelRequest, { usage }: ModelReply, price: DailyBudgetedCalls["price"]) {
  return usage.costUsd ?? price(model, usage) ?? null;
}

/** A token is at least one byte of text. A cost that is unknown before the call is only counted after it. */
function largestExpense(
  { model, messages, schema, tools, conversation, maxOutputTokens }: ModelRequest,
  price: DailyBudgetedCalls["price"],
) {
  const inputTokens = conversation?.bytes ?? Buffer.byteLength(JSON.stringify([messages, schema, tools]));
  const usage = { inputTokens, outputTokens: maxOutputTokens };
  return { tokens: inputTokens + maxOutputTokens, usd: price(model, usage) ?? 0 };
}
