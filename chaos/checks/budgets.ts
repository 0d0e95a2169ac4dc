import type { History, Violation } from "../load/history.ts";
import type { World } from "../world/world.ts";

/**
 * Nothing is spent above a budget, counted by the model provider. What was spent on steps that an asynchronous failover lost is lost
 * with them: tasks that ran meanwhile are left out.
 */
export async function checkBudgets({ model, losses }: World, { tasks }: History): Promise<Violation[]> {
  return tasks.flatMap(({ name, maxCalls, acknowledgedAt = 0, endedAt = Number.POSITIVE_INFINITY }) => {
    const answered = model.answered.get(name) ?? 0;
    if (maxCalls === undefined || answered <= maxCalls) return [];
    if (losses.some(({ from, to }) => acknowledgedAt <= to && endedAt >= from)) return [];
    return [{ check: "budgets", detail: `${name} made ${answered} calls of ${maxCalls}` }];
  });
}
