import { describe, expect, it } from "vitest";
import { DailyBudget } from "./daily-budget.ts";

const DAY = 86_400_000;

describe("the daily budget", () => {
  it.each([
    [{ max_tokens: 200 }, { tokens: 100 }],
    [{ max_usd: 0.5 }, { usd: 0.25 }],
  ])("of %o is exhausted after twice %o, notifies once, and resets the next day", (limits, spent) => {
    let now = DAY * 10 + 1000;
    let told = 0;
    const dailyBudget = new DailyBudget(
      limits,
      () => told++,
      () => now,
    );
    dailyBudget.add(spent);
    expect(() => dailyBudget.check()).not.toThrow();
    dailyBudget.add(spent);
    dailyBudget.add(spent);
    expect(told).toBe(1);
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
    let told = 0;
    const dailyBudget = new DailyBudget(limits, () => told++);
    dailyBudget.add(spent);
    expect(told).toBe(1);
    expect(() => dailyBudget.check()).toThrow(message);
  });

  it("of calls grants exactly its number and lets them finish", () => {
    let now = DAY * 10 + 1000;
    const dailyBudget = new DailyBudget(
      { max_calls: 3 },
      () => expect.unreachable(),
      () => now,
    );
    dailyBudget.add({ calls: 1 }); // Spent before a restart.
    expect([dailyBudget.startCall(), dailyBudget.startCall(), dailyBudget.startCall()]).toEqual([
      true,
      true,
      false,
    ]);
    expect(() => dailyBudget.check()).toThrow(expect.objectContaining({ status: 503 }));
    now += DAY;
    expect(dailyBudget.startCall()).toBe(true);
  });

  it("is unlimited by default", () => {
    const dailyBudget = new DailyBudget({}, () => expect.unreachable());
    expect(dailyBudget.startCall()).toBe(true);
    dailyBudget.add({ calls: 1e9, tokens: 1e12, usd: 1e6 });
    expect(() => dailyBudget.check()).not.toThrow();
  });
});
