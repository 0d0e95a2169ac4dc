import { describe, expect, it } from "vitest";
import type { BudgetExchange, DailyAmounts } from "../store/backend.ts";
import { DailyBudget } from "./daily-budget.ts";
import { localAccount } from "./local-account.ts";

const DAY = 86_400_000;
const SMALL = { tokens: 0, usd: 0 };
const never = new AbortController().signal;

describe("the daily budget", () => {
  it.each([
    [{ max_tokens: 200 }, { tokens: 100 }],
    [{ max_usd: 0.5 }, { usd: 0.25 }],
  ])("of %o is exhausted after twice %o, notifies once, and resets the next day", (limits, spent) => {
    let now = DAY * 10 + 1000;
    let notified = 0;
    const dailyBudget = new DailyBudget(limits, { onExhausted: () => notified++, now: () => now });
    dailyBudget.add(spent);
    expect(() => dailyBudget.check()).not.toThrow();
    dailyBudget.add(spent);
    dailyBudget.add(spent);
    expect(notified).toBe(1);
    expect(() => dailyBudget.check()).toThrow(
      expect.objectContaining({ code: "daily_budget_exhausted", retryAfterSeconds: 86_399 }),
    );
    now += DAY;
    expect(() => dailyBudget.check()).not.toThrow();
  });

  it.each([
    [{ max_tokens: 200 }, { tokens: null }, /token count is unknown/],
    [{ max_usd: 5 }, { usd: null }, /unknown cost/],
  ])("of %o ends with %o: the limit could not be enforced", (limits, spent, message) => {
    let notified = 0;
    const dailyBudget = new DailyBudget(limits, { onExhausted: () => notified++ });
    dailyBudget.add(spent);
    expect(notified).toBe(1);
    expect(() => dailyBudget.check()).toThrow(message);
  });

  it("of calls grants exactly its number and lets them finish", async () => {
    let now = DAY * 10 + 1000;
    const dailyBudget = new DailyBudget(
      { max_calls: 3 },
      { onExhausted: () => expect.unreachable(), now: () => now },
    );
    dailyBudget.add({ calls: 1 }); // Spent before a restart.
    const calls = [1, 2, 3].map(() => dailyBudget.reserve(SMALL, never));
    expect((await Promise.all(calls)).map(Boolean)).toEqual([true, true, false]);
    expect(() => dailyBudget.check()).toThrow(expect.objectContaining({ code: "daily_budget_exhausted" }));
    now += DAY;
    expect(await dailyBudget.reserve(SMALL, never)).toBeDefined();
  });

  it("is unlimited by default", async () => {
    const dailyBudget = new DailyBudget({}, { onExhausted: () => expect.unreachable() });
    (await dailyBudget.reserve(SMALL, never))!.settle({ tokens: 1e12, usd: null });
    expect(await dailyBudget.reserve(SMALL, never)).toBeDefined();
    expect(() => dailyBudget.check()).not.toThrow();
  });

  it("of tokens is reserved before a call: many at the same time spend no more than one after the other [F-reserve]", async () => {
    const dailyBudget = new DailyBudget({ max_tokens: 1000 }, { onExhausted: () => undefined });
    let spent = 0;
    let most = 0;
    let inFlight = 0;
    const call = async () => {
      const reservation = await dailyBudget.reserve({ tokens: 300, usd: 0 }, never);
      if (!reservation) return;
      most = Math.max(most, ++inFlight);
      await new Promise(setImmediate);
      inFlight--;
      spent += 100;
      reservation.settle({ tokens: 100 });
    };
    await Promise.all(Array.from({ length: 50 }, call));
    // Each spends a third of what it reserves; none begins that the others leave no room for.
    expect(spent).toBe(1000);
    expect(most).toBe(3);
  });

  it("lets a single call exceed what is left, and none beside it", async () => {
    const dailyBudget = new DailyBudget({ max_usd: 1 }, { onExhausted: () => undefined });
    const first = await dailyBudget.reserve({ tokens: 0, usd: 5 }, never);
    const second = dailyBudget.reserve({ tokens: 0, usd: 5 }, never);
    first!.settle({ usd: 1.5 });
    expect(await second).toBeUndefined();
    expect(() => dailyBudget.check()).toThrow(/MCI_DAILY_MAX_USD/);
  });

  it("does not let a call wait whose run was cancelled", async () => {
    const dailyBudget = new DailyBudget({ max_tokens: 10 }, { onExhausted: () => undefined });
    await dailyBudget.reserve({ tokens: 10, usd: 0 }, never);
    const cancelled = new AbortController();
    const waiting = dailyBudget.reserve({ tokens: 10, usd: 0 }, cancelled.signal);
    await new Promise(setImmediate);
    cancelled.abort(new Error("cancelled"));
    await expect(waiting).rejects.toThrow("cancelled");
  });

  describe("of several instances", () => {
    /** The account as the database keeps it; it can be out of reach. */
    function account() {
      const state = {
        down: false,
        now: Date.UTC(2026, 10, 15),
        exchanges: 0,
        totals: { calls: 0, tokens: 0, usd: 0 } as DailyAmounts,
      };
      const local = localAccount(() => state.now);
      const exchangeBudget = async (exchange: BudgetExchange) => {
        await new Promise(setImmediate);
        if (state.down) throw new Error("down");
        state.exchanges++;
        const result = local.exchange(exchange);
        state.totals = result.totals;
        return result;
      };
      return { state, shared: { exchangeBudget } };
    }

    it("grants its number of calls to all of them together", async () => {
      const { shared } = account();
      const instances = [1, 2, 3].map(
        () => new DailyBudget({ max_calls: 10 }, { onExhausted: () => undefined, shared }),
      );
      const granted = await Promise.all(
        Array.from({ length: 30 }, (_, n) => instances[n % 3]!.reserve(SMALL, never)),
      );
      expect(granted.filter(Boolean)).toHaveLength(10);
    });

    it("takes room in chunks: thousands of calls need a few exchanges, and none is spent twice [H-budget-chunks]", async () => {
      const { shared, state } = account();
      const instances = [1, 2, 3].map(
        () => new DailyBudget({ max_calls: 3000 }, { onExhausted: () => undefined, shared }),
      );
      let granted = 0;
      const work = async (budget: DailyBudget) => {
        for (;;) {
          const reservation = await budget.reserve(SMALL, never);
          if (!reservation) return;
          granted++;
          reservation.settle({ calls: 1 });
        }
      };
      await Promise.all(instances.flatMap((budget) => [work(budget), work(budget), work(budget)]));
      expect(granted).toBe(3000);
      expect(state.totals.calls).toBe(3000);
      expect(state.exchanges).toBeLessThan(300);
    });

    it("loses what a killed instance held, and never spends it twice", async () => {
      const { shared } = account();
      const killed = new DailyBudget({ max_calls: 180 }, { onExhausted: () => undefined, shared });
      await killed.reserve(SMALL, never);
      const other = new DailyBudget({ max_calls: 180 }, { onExhausted: () => undefined, shared });
      let granted = 0;
      while (await other.reserve(SMALL, never)) granted++;
      expect(granted + 1).toBeLessThanOrEqual(180);
      expect(granted).toBeGreaterThan(180 - 180 / 16 - 1);
    });

    it("gives back what it holds when it closes", async () => {
      const { shared, state } = account();
      const budget = new DailyBudget(
        { max_calls: 180, max_tokens: 10_000 },
        { onExhausted: () => undefined, shared },
      );
      (await budget.reserve({ tokens: 100, usd: 0 }, never))!.settle({ tokens: 30 });
      expect(state.totals.calls).toBeGreaterThan(1);
      await budget.close();
      expect(state.totals).toMatchObject({ calls: 1, tokens: 30 });
    });

    it("is exhausted for one by what another has spent, and starts again with the day of the database", async () => {
      const { shared, state } = account();
      let notified = 0;
      const [spender, other] = [0, 1].map(
        () =>
          new DailyBudget({ max_usd: 1 }, { onExhausted: () => notified++, shared, now: () => state.now }),
      ) as [DailyBudget, DailyBudget];
      (await spender.reserve(SMALL, never))!.settle({ usd: 2 });
      await spender.close();
      await other.refresh();
      expect(notified).toBe(2);
      expect(() => other.check()).toThrow(/MCI_DAILY_MAX_USD/);
      expect(await other.reserve(SMALL, never)).toBeUndefined();
      state.now += DAY;
      await other.refresh();
      expect(() => other.check()).not.toThrow();
      expect(await other.reserve(SMALL, never)).toBeDefined();
    });

    it("makes no call beyond what is reserved while the database is out of reach, and goes on afterwards", async () => {
      const { shared, state } = account();
      const budget = new DailyBudget({ max_calls: 32 }, { onExhausted: () => undefined, shared });
      expect(await budget.reserve(SMALL, never)).toBeDefined();
      state.down = true;
      // A sixteenth of what is left was taken at once.
      expect(await budget.reserve(SMALL, never)).toBeDefined();
      await expect(budget.reserve(SMALL, never)).rejects.toThrow("down");
      state.down = false;
      let granted = 2;
      while (await budget.reserve(SMALL, never)) granted++;
      expect(granted).toBe(32);
    });
  });
});
