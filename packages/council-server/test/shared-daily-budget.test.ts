import { afterAll, beforeEach, expect, it } from "vitest";
import { openDatabase } from "../../council-postgres/src/database/database.ts";
import { exchangeBudget } from "../../council-postgres/src/store/daily-expenses.ts";
import { createTestDatabase } from "../../council-postgres/test/database.ts";
import { DailyBudget } from "../src/budget/daily-budget.ts";

const never = new AbortController().signal;
const LIMIT = 180;
const database = openDatabase(await createTestDatabase(), { applicationName: "budget", maxConnections: 8 });
afterAll(() => database.close());
beforeEach(() => database.query("DELETE FROM council.daily_expenses"));

let exchanges = 0;
const openBudget = (limits: { max_calls?: number; max_tokens?: number }, subject?: string) =>
  new DailyBudget(limits, {
    onExhausted: () => undefined,
    shared: {
      exchangeBudget: (exchange) => {
        exchanges++;
        return exchangeBudget(database, { ...exchange, ...(subject === undefined ? {} : { subject }) });
      },
    },
  });

it("instances that are killed again and again spend no more than the shared daily budget [H-budget-chunks]", async () => {
  let calls = 0;
  // Each makes a few calls and is gone, with all it holds.
  const life = async (most: number) => {
    const budget = openBudget({ max_calls: LIMIT });
    for (let n = 0; n < most && (await budget.reserve({ tokens: 0, usd: 0 }, never)); n++) calls++;
  };
  await Promise.all([1, 2, 3, 4, 5, 6].map(life));
  await Promise.all([life(LIMIT), life(LIMIT), life(LIMIT)]);
  expect(calls).toBeLessThanOrEqual(LIMIT);
  expect(calls).toBeGreaterThan(LIMIT / 2);
  const [row] = await database.query<{ calls: number }>("SELECT calls FROM council.daily_expenses");
  expect(row).toEqual({ calls: LIMIT });
});

it("many calls of several instances need few statements, and settle to what was spent", async () => {
  exchanges = 0;
  const budgets = [1, 2, 3].map(() => openBudget({ max_calls: 1_000_000, max_tokens: 1_000_000_000 }));
  const work = async (budget: DailyBudget) => {
    for (let n = 0; n < 100; n++)
      (await budget.reserve({ tokens: 1000, usd: 0 }, never))!.settle({ tokens: 10 });
  };
  await Promise.all(budgets.flatMap((budget) => [work(budget), work(budget)]));
  await Promise.all(budgets.map((budget) => budget.close()));
  expect(exchanges).toBeLessThan(600 / 16);
  const [row] = await database.query("SELECT calls, tokens FROM council.daily_expenses");
  expect(row).toEqual({ calls: 600, tokens: 6000 });
});

it("each subject has an account of its own, whatever instance its calls are made on [OWN-budget]", async () => {
  const granted = async (subject: string) => {
    const instances = [1, 2].map(() => openBudget({ max_calls: 5 }, subject));
    const reservations = await Promise.all(
      Array.from({ length: 12 }, (_, n) => instances[n % 2]!.reserve({ tokens: 0, usd: 0 }, never)),
    );
    return reservations.filter(Boolean).length;
  };
  expect(await granted("ann")).toBe(5);
  expect(await granted("bob")).toBe(5);
  expect(await granted("ann")).toBe(0);
  expect(await database.query("SELECT calls FROM council.daily_expenses")).toEqual([]);
});
