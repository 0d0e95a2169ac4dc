import type { BudgetExchange, BudgetState, DailyAmounts } from "../store/backend.ts";
import { NOTHING } from "./amounts.ts";

/** The account of an instance that is alone. */
export function localAccount(now: () => number): { exchange(exchange: BudgetExchange): BudgetState } {
  let day = "";
  let totals: DailyAmounts = NOTHING;
  return {
    exchange({ add, take, limits }) {
      const today = new Date(now()).toISOString().slice(0, 10);
      if (today !== day) totals = NOTHING;
      day = today;
      const granted = (kind: keyof DailyAmounts) =>
        Math.min(take[kind], Math.max(0, limits[kind] - totals[kind] - add[kind]));
      const taken = { calls: granted("calls"), tokens: granted("tokens"), usd: granted("usd") };
      totals = {
        calls: totals.calls + add.calls + taken.calls,
        tokens: totals.tokens + add.tokens + taken.tokens,
        usd: totals.usd + add.usd + taken.usd,
      };
      return { day, taken, totals };
    },
  };
}
