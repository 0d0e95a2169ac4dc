import type { RunSort } from "@mci-ts/council-server";

/** What a list is sorted by; what is not known comes last. */
export const SORT_KEYS: Readonly<Record<RunSort, { readonly key: string; readonly order: "ASC" | "DESC" }>> =
  {
    newest: { key: "started_at", order: "DESC" },
    oldest: { key: "started_at", order: "ASC" },
    cost: { key: "coalesce(cost_usd, -1)", order: "DESC" },
    duration: { key: "coalesce(ended_at - started_at, -1)", order: "DESC" },
  };
