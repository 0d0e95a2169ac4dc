import type { Limits } from "../config/config.ts";
import { readHistory } from "../store/read-history.ts";
import type { Store } from "../store/store.ts";
import { dailyBudgetError, dayStart } from "./daily-budget.ts";

/**
 * What one subject may use a day, by the history of all instances. Checked before each run: one that is in flight counts when it ends,
 * so that a subject may exceed its part by what its runs in flight use.
 */
export async function checkSubjectBudget(
  subject: string,
  { max_calls, max_tokens, max_usd }: Limits,
  store: Pick<Store, "spentBy">,
  now = Date.now(),
): Promise<void> {
  if (max_calls === undefined && max_tokens === undefined && max_usd === undefined) return;
  const { calls, tokens, usd } = await readHistory(store.spentBy(subject, dayStart(now)));
  const isSpent =
    calls >= (max_calls ?? Number.POSITIVE_INFINITY) ||
    tokens >= (max_tokens ?? Number.POSITIVE_INFINITY) ||
    usd >= (max_usd ?? Number.POSITIVE_INFINITY);
  if (!isSpent) return;
  throw dailyBudgetError("Your part of the daily budget is spent; it begins anew at midnight UTC", now);
}
