import { describe, expect, it } from "vitest";
import { SubjectBudgets } from "./subject-budgets.ts";

const never = new AbortController().signal;
const call = { tokens: 10, usd: 0 };

function open(spent: Record<string, number> = {}) {
  const exhausted: string[] = [];
  const state = { reads: 0, isDown: false };
  const budgets = new SubjectBudgets(
    { max_calls: 3, max_tokens: 1000 },
    {
      store: {
        expenses: {
          async spentSince(_, subject) {
            state.reads++;
            if (state.isDown) throw new Error("down");
            return { calls: spent[subject!] ?? 0, tokens: 0, usd: 0 };
          },
          unpricedSince: async () => [],
        },
      },
      price: () => undefined,
      onExhausted: (subject) => exhausted.push(subject),
    },
  );
  return { budgets, exhausted, spent, state };
}

describe("the budgets of subjects [OWN-budget]", () => {
  it("count what the history has of today, and the calls in flight", async () => {
    const { budgets } = open({ ann: 1 });
    await budgets.withBudget("ann", async (budget) => {
      const granted = await Promise.all([1, 2, 3, 4].map(() => budget!.reserve(call, never)));
      expect(granted.filter(Boolean)).toHaveLength(2);
    });
    await expect(budgets.check("ann")).rejects.toThrow("You have reached MCI_SUBJECT_DAILY_CALLS");
    await budgets.check("bob");
  });

  it("tell which subject has reached its tokens", async () => {
    const { budgets, exhausted } = open();
    await budgets.withBudget("ann", async (budget) =>
      (await budget!.reserve(call, never))!.settle({ tokens: 2000 }),
    );
    expect(exhausted).toEqual(["ann"]);
  });

  it("of a thousand subjects are remembered; what is in use is never forgotten", async () => {
    const { budgets, state, spent } = open();
    await budgets.withBudget("held", async (budget) => {
      await budget!.reserve(call, never);
      for (let n = 0; n < 1100; n++) await budgets.check(`subject-${n}`);
      expect(state.reads).toBe(1101);
      await budgets.withBudget("held", async (again) => expect(again).toBe(budget));
    });
    spent["subject-0"] = 3;
    await expect(budgets.check("subject-0")).rejects.toThrow("MCI_SUBJECT_DAILY_CALLS");
    expect(state.reads).toBe(1102);
  });

  it("that cannot be read refuse the run, and are read again for the next", async () => {
    const { budgets, state } = open();
    state.isDown = true;
    await expect(budgets.check("ann")).rejects.toMatchObject({ code: "history_unavailable" });
    state.isDown = false;
    await budgets.check("ann");
  });

  it("are none without a subject", async () => {
    const { budgets, state } = open();
    await budgets.withBudget(undefined, async (budget) => expect(budget).toBeUndefined());
    expect(state.reads).toBe(0);
  });
});
