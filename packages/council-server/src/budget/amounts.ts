import type { DailyAmounts } from "../store/backend.ts";

/** What a call has spent; null: not reported. */
export interface Expense {
  readonly calls?: number;
  readonly tokens?: number | null;
  readonly usd?: number | null;
}

export const NOTHING: DailyAmounts = { calls: 0, tokens: 0, usd: 0 };
export const KINDS = ["calls", "tokens", "usd"] as const;

/** An unknown amount (null) exhausts its limit, because the limit could not be enforced. */
export function amountsOf({ calls = 0, tokens = 0, usd = 0 }: Expense): DailyAmounts {
  const unknown = Number.POSITIVE_INFINITY;
  return { calls, tokens: tokens ?? unknown, usd: usd ?? unknown };
}

export function eachKind(amount: (kind: keyof DailyAmounts) => number): DailyAmounts {
  return { calls: amount("calls"), tokens: amount("tokens"), usd: amount("usd") };
}

export const plus = (a: DailyAmounts, b: DailyAmounts) => eachKind((kind) => a[kind] + b[kind]);
export const minus = (a: DailyAmounts, b: DailyAmounts) => eachKind((kind) => a[kind] - b[kind]);
