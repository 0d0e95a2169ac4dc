import type { Models } from "../providers/models.ts";
import { readHistory } from "../store/read-history.ts";
import type { Store } from "../store/store.ts";
import { type DailyBudget, dayStart } from "./daily-budget.ts";

/** A restart does not reset a daily budget. `subject`: only what this one has spent. */
export async function restoreDailyBudget(
  dailyBudget: DailyBudget,
  store: Pick<Store, "expenses">,
  price: Models["price"],
  subject?: string,
): Promise<void> {
  // Instances that share a database keep their account there.
  if (!store.expenses) return dailyBudget.refresh();
  const today = dayStart(Date.now());
  dailyBudget.add(await readHistory(store.expenses.spentSince(today, subject)));
  if (!dailyBudget.limitsCost) return;
  // Prices may have been added since; a call that still has none exhausts the budget, as it did before.
  for (const { model, ...usage } of await readHistory(store.expenses.unpricedSince(today, subject)))
    dailyBudget.add({ usd: price(model, usage) ?? null });
}
