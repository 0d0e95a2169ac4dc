import type { Budget } from "../request-config.ts";

/** What a task has used so far. Plain JSON. */
export interface TaskUsage {
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** null once the cost of a call was unknown. */
  readonly cost_usd: number | null;
}

export const NO_USAGE: TaskUsage = { calls: 0, input_tokens: 0, output_tokens: 0, cost_usd: 0 };

export function addUsage(a: TaskUsage, b: TaskUsage): TaskUsage {
  return {
    calls: a.calls + b.calls,
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cost_usd: a.cost_usd === null || b.cost_usd === null ? null : a.cost_usd + b.cost_usd,
  };
}

/** What is left for the next step, or the limit that leaves nothing. The deadline is each step's own. */
export function remainingBudget(limits: Budget, spent: TaskUsage): Budget | { readonly exhausted: string } {
  const { max_calls, max_tokens, max_usd, deadline_ms } = limits;
  const calls = max_calls === undefined ? undefined : max_calls - spent.calls;
  const tokens = max_tokens === undefined ? undefined : max_tokens - spent.input_tokens - spent.output_tokens;
  // A sum with an unknown part could not be held.
  const usd = max_usd === undefined ? undefined : spent.cost_usd === null ? 0 : max_usd - spent.cost_usd;
  if (calls !== undefined && calls < 1) return { exhausted: "max_calls" };
  if (tokens !== undefined && tokens < 1) return { exhausted: "max_tokens" };
  if (usd !== undefined && usd <= 0) return { exhausted: "max_usd" };
  return { max_calls: calls, max_tokens: tokens, max_usd: usd, deadline_ms };
}
