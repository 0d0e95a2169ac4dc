import { describe, expect, it } from "vitest";
import { DailyBudget } from "./daily-budget.ts";

const DAY = 86_400_000;

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
      expect.objectContaining({ status: 503, headers: { "retry-after": "86399" } }),
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
    const calls = [dailyBudget.startCall(), dailyBudget.startCall(), dailyBudget.startCall()];
    expect(await Promise.all(calls)).toEqual([true, true, false]);
    expect(() => dailyBudget.check()).toThrow(expect.objectContaining({ status: 503 }));
    now += DAY;
    expect(await dailyBudget.startCall()).toBe(true);
  });

  it("is unlimited by default", async () => {
    const dailyBudget = new DailyBudget({}, { onExhausted: () => expect.unreachable() });
    expect(await dailyBudget.startCall()).toBe(true);
    dailyBudget.add({ calls: 1e9, tokens: 1e12, usd: 1e6 });
    expect(() => dailyBudget.check()).not.toThrow();
  });

  describe("of several instances", () => {
    /** The account as the database keeps it; it can be out of reach. */
    function account() {
      const totals = { day: "2026-11-15", calls: 0, tokens: 0, usd: 0 };
      const state = { down: false, totals };
      const addExpense = async (more: { calls: number; tokens: number; usd: number }) => {
        if (state.down) throw new Error("down");
        totals.calls += more.calls;
        totals.tokens += more.tokens;
        totals.usd += more.usd;
        return { ...totals };
      };
      return { state, shared: { addExpense } };
    }

    it("grants its number of calls to all of them together", async () => {
      const { shared } = account();
      const instances = [1, 2, 3].map(
        () => new DailyBudget({ max_calls: 10 }, { onExhausted: () => undefined, shared }),
      );
      const granted = await Promise.all(Array.from({ length: 30 }, (_, n) => instances[n % 3]!.startCall()));
      expect(granted.filter(Boolean)).toHaveLength(10);
    });

    it("is exhausted for one by what another has spent, and starts again with the day of the database", async () => {
      const { shared, state } = account();
      let notified = 0;
      const [spender, other] = [0, 1].map(
        () => new DailyBudget({ max_usd: 1 }, { onExhausted: () => notified++, shared }),
      ) as [DailyBudget, DailyBudget];
      spender.add({ usd: 2 });
      await other.refresh();
      expect(notified).toBe(2);
      expect(() => other.check()).toThrow(/MCI_DAILY_MAX_USD/);
      expect(await other.startCall()).toBe(false);
      Object.assign(state.totals, { day: "2026-11-16", calls: 0, tokens: 0, usd: 0 });
      await other.refresh();
      expect(() => other.check()).not.toThrow();
    });

    it("goes on with what is known while the database is out of reach, and makes up for it", async () => {
      const { shared, state } = account();
      const budget = new DailyBudget({ max_calls: 3 }, { onExhausted: () => undefined, shared });
      expect(await budget.startCall()).toBe(true);
      state.down = true;
      expect([await budget.startCall(), await budget.startCall(), await budget.startCall()]).toEqual([
        true,
        true,
        false,
      ]);
      state.down = false;
      await budget.refresh();
      expect(state.totals.calls).toBe(4);
    });
  });
});
