import type { Budget } from "../request-config.ts";
import { remainingBudget, type TaskUsage } from "./usage.ts";

/** What the steps of a plan that are ready may spend together with those that run. */
export type Allotment =
  /** So many of them start, each with this part. The others wait until one that runs has ended. */
  | { readonly start: number; readonly budget: Budget }
  /** Nothing is left, and no step runs that could leave something. */
  | { readonly exhausted: string };

/** Below this a council or a vote hardly comes to an end: rather fewer steps side by side. */
const MIN_CALLS = 10;

/**
 * Divides what is left among the steps that are ready, so that all together stay within the limits. `reserved` is what the steps
 * that run may still spend.
 */
export function allotBudget(
  limits: Budget,
  spent: TaskUsage,
  reserved: readonly Budget[],
  ready: number,
): Allotment {
  const left = remainingBudget(limits, reserved.reduce(withReserved, spent));
  if ("exhausted" in left) return reserved.length > 0 ? { start: 0, budget: {} } : left;
  const enoughFor = Math.floor((left.max_calls ?? Number.POSITIVE_INFINITY) / MIN_CALLS);
  const start = Math.min(ready, Math.max(enoughFor, reserved.length > 0 ? 0 : 1));
  return { start, budget: splitBudget(left, Math.max(1, start)) };
}

/** An equal part for each. The deadline is each one's own. */
export function splitBudget({ max_calls, max_tokens, max_usd, deadline_ms }: Budget, parts: number): Budget {
  const whole = (limit?: number) => (limit === undefined ? undefined : Math.floor(limit / parts));
  return {
    max_calls: whole(max_calls),
    max_tokens: whole(max_tokens),
    max_usd: max_usd === undefined ? undefined : max_usd / parts,
    deadline_ms,
  };
}

function withReserved(spent: TaskUsage, { max_calls = 0, max_tokens = 0, max_usd = 0 }: Budget): TaskUsage {
  return {
    calls: spent.calls + max_calls,
    input_tokens: spent.input_tokens + max_tokens,
    output_tokens: spent.output_tokens,
    cost_usd: spent.cost_usd === null ? null : spent.cost_usd + max_usd,
  };
}
