import type { Model, ModelReply, ModelRequest, ModelUsage } from "@mci-ts/council";
import { ServiceError } from "../service-error.ts";
import type { DailyBudget, Expense } from "./daily-budget.ts";

export interface DailyBudgetedCalls {
  /** Cost of a call in US dollars; undefined: unknown. */
  readonly price: (model: string, usage: ModelUsage) => number | undefined;
  /** Called when no call is left today. */
  readonly onRefused: () => void;
  /** Called when a call begins, and again with what it cost. */
  readonly onExpense?: (expense: CallExpense) => void;
}

export interface CallExpense {
  readonly model: string;
  readonly calls: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** null: unknown. */
  readonly costUsd: number | null;
}

/** The same model within the daily budget of the service: each call is reserved before it is sent, and settled after it. */
export function withDailyBudget(
  model: Model,
  budget: DailyBudget,
  { price, onRefused, onExpense }: DailyBudgetedCalls,
): Model {
  return {
    ...model,
    async complete(request, signal) {
      const reservation = await budget.reserve(largestExpense(request, price), signal);
      if (!reservation) {
        onRefused();
        throw new ServiceError("daily_budget_exhausted", "The service may make no more calls today");
      }
      let spent: Expense = { calls: 0 };
      try {
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
        reservation.settle(spent);
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
